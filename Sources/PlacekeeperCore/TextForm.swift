/// Checks the form of texts in requests and identifiers.
package enum TextForm {
    /// Returns whether a text consists of 1 to `limit` of the characters `[A-Za-z0-9._-]`.
    package static func isName(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
    }

    package static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// Returns whether a text is within the limit (in UTF-8 bytes) and free of control characters: C0, DEL, and C1 (two
    /// bytes in UTF-8).
    package static func isPlain(_ text: String, limit: Int) -> Bool {
        guard text.utf8.count <= limit else { return false }
        // Fast path: most texts are ASCII.
        var text = text
        if text.withUTF8({ $0.allSatisfy { $0 &- 0x20 < 0x5F } }) { return true }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
