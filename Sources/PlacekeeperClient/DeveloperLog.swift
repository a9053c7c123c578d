import Foundation

/// Writes messages for the app's developers to the log of the process.
package enum DeveloperLog {
    /// Writes one sentence.
    package static func write(_ sentence: String) {
        NSLog("%@", "Placekeeper: " + sentence)
    }
}
