/// The run of combining marks that a text ends in, counted while the text is read.
///
/// To compare or hash a `String`, Swift sorts each run of scalars that have a combining class, in time that is quadratic
/// in the run's length. A text from outside is therefore refused when a run is longer than `limit`, before anything
/// compares or hashes the text. Unicode's Stream-Safe Text Format (UAX #15, section 13) allows 30 marks in a run, more
/// than any language needs. The limit here is larger, because people also decorate letters with marks, and because the
/// longest identifier (512 bytes) holds 256 marks: a text that has a limit in bytes needs no other one. To hash runs of
/// 256 marks takes half as long again as to hash as many marks in runs of 30.
package struct CombiningRun: Sendable {
    /// How many marks may follow one another.
    package static let limit = 256

    private var length = 0

    /// Begins a text.
    package init() {}

    /// Takes the next scalar of the text. Returns false when that scalar makes a run too long.
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
        // Most texts with many scalars from here on are Chinese, Japanese or Korean, and no mark is among these.
        case 0x3100..<0xA66F, 0xAC00..<0xFB1E: false
        default: Unicode.Scalar(scalar)?.properties.canonicalCombiningClass.rawValue ?? 0 != 0
        }
    }
}

extension String {
    /// Whether a run of combining marks is longer than `CombiningRun.limit`. Takes time in proportion to the text.
    package var hasLongCombiningRun: Bool {
        // A run that is too long takes at least two bytes for each mark.
        guard utf8.count > 2 * CombiningRun.limit else { return false }
        var run = CombiningRun()
        return !unicodeScalars.allSatisfy { run.take($0.value) }
    }
}
