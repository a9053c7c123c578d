/// A text that is compared and hashed by its UTF-8 bytes, such as a model identifier. Swift normalizes texts before
/// comparing them: two Unicode forms of a text are equal, and the comparison can take a hundred times as long. For
/// ASCII, the order is the same as Swift's.
package struct ByteText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.count == right.text.utf8.count
            && left.withBytes { left in right.withBytes { left.count == commonPrefix(left, $0) } }
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.withBytes { left in
            right.withBytes { right in
                let common = commonPrefix(left, right)
                guard common < left.count, common < right.count else { return left.count < right.count }
                return left[common] < right[common]
            }
        }
    }

    package func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }

    @inline(__always)
    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Returns how many bytes at the start of two texts are equal.
    private static func commonPrefix(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let count = min(left.count, right.count)
        var index = 0
        while count - index >= 8,
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        { index += 8 }
        while index < count, left[index] == right[index] { index += 1 }
        return index
    }
}
