/// The identifier of a person's account, which the app's own backend assigned: the claim `sub` of a sign-in token. The
/// service compares subjects byte by byte.
package struct Subject: Sendable, Hashable {
    /// The UTF-8 bytes of the identifier: 1 to `Limits.subject` bytes.
    package let bytes: [UInt8]

    /// Nil if the text is empty, too long, or has a control character.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard 1...Limits.subject ~= bytes.count, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        self.bytes = bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
