/// The id of one launch of an app's process. The client makes a new one at each launch, typically a UUID.
package struct LaunchID: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    /// Nil unless the text consists of 1 to 64 of the characters `[A-Za-z0-9._-]`.
    package init?(_ text: String) {
        guard TextForm.isName(text, limit: Limits.launchID) else { return nil }
        self.text = text
    }

    package var description: String { text }
}
