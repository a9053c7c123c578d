/// A key pressed by the user.
enum Key: Hashable {
    case up, down, left, right, enter, tab
    case letter(Character)
    /// Ctrl-C.
    case interrupt

    /// Returns the keys in bytes from a terminal. Unknown sequences are left out.
    static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x03: keys.append(.interrupt)
            case 0x09: keys.append(.tab)
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x08, 0x7F: keys.append(.left)
            case 0x1B:
                // ESC [ A, or ESC O A in the application mode of a terminal (ECMA-48).
                guard let next = rest.first, next == 0x5B || next == 0x4F else { continue }
                rest.removeFirst()
                let end = rest.firstIndex { (0x40...0x7E).contains($0) } ?? rest.endIndex
                if let final = rest.first, let arrow = arrows[final] { keys.append(arrow) }
                rest = rest[end...].dropFirst()
            case 0x20...0x7E: keys.append(.letter(Character(Unicode.Scalar(byte))))
            default: continue
            }
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]
}
