/// Counts consecutive combining marks while a text is read scalar by scalar.
///
/// To compare or hash a `String`, Swift sorts each run of combining marks (scalars with a combining class), in time
/// quadratic in the run's length. So text from a file or request that contains a run longer than `limit` is rejected
/// before it is compared or hashed.
///
/// Unicode's Stream-Safe Text Format (UAX #15, section 13) allows 30 marks in a run, more than any language needs.
/// `limit` is higher, because people also decorate letters with marks. It allows every identifier: the longest has 512
/// bytes, room for 256 marks. Hashing marks in runs of 256 takes 1.5 times as long as in runs of 30.
package struct CombiningRun: Sendable {
    /// The maximum number of marks in a row.
    package static let limit = 256

    private var length = 0

    /// Creates a counter for the start of a text.
    package init() {}

    /// Reads the next scalar. Returns false if it makes a run longer than `limit`.
    @inline(__always)
    package mutating func take(_ scalar: UInt32) -> Bool {
        // U+0300 is the first combining mark.
        guard scalar >= 0x300, Self.isMark(scalar) else {
            length = 0
            return true
        }
        length += 1
        return length <= Self.limit
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        // Most texts with many scalars above U+3100 are Chinese, Japanese or Korean. These ranges contain no marks, so
        // most of their scalars need no property lookup.
        case 0x3100..<0xA66F, 0xAC00..<0xFB1E: false
        default: Unicode.Scalar(scalar)?.properties.canonicalCombiningClass.rawValue ?? 0 != 0
        }
    }
}

extension String {
    /// Whether the string contains more than `CombiningRun.limit` combining marks in a row. The time is proportional to
    /// the string's length.
    package var hasLongCombiningRun: Bool {
        // Each mark takes at least two bytes, so a string up to this size cannot contain a run that is too long.
        guard utf8.count > 2 * CombiningRun.limit else { return false }
        var run = CombiningRun()
        return !unicodeScalars.allSatisfy { run.take($0.value) }
    }
}
