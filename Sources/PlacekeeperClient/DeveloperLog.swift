import Foundation

/// Messages for the developers of an app, in the log of the process.
package enum DeveloperLog {
    /// Writes a sentence.
    package static func write(_ sentence: String) {
        NSLog("%@", "Placekeeper: " + sentence)
    }
}
