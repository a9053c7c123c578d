/// The identifier of a user's account, as the app's own backend assigned it: the claim `sub` of a sign-in token.
/// Compared byte by byte.
package struct Subject: Sendable, Hashable {
    /// The identifier in UTF-8: 1 to `Limits.subject` bytes.
    package let bytes: [UInt8]

    /// Nil if the text is empty or too long, or contains a control character.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard 1...Limits.subject ~= bytes.count, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        self.bytes = bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
