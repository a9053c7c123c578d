package import PlacekeeperArchive

/// Measures a value and checks that an archive can hold it.
package struct StateMeasure {
    package let referenceCount: Int
    package let copyCount: Int
    /// Whether the value belongs to a place, which cannot contain restorable objects.
    package var isInPlace = false
    package var bytes = 0
    package var elements = 0
    package var isWritable = true

    /// The maximum nesting depth in an object's state.
    private static let greatestDepth = 128
    /// The dates that an archive can hold, in seconds since the start of 2001: years 1 to 9999.
    private static let dates = -63_114_076_800.0..<252_423_993_600.0

    package init(referenceCount: Int, copyCount: Int, isInPlace: Bool = false) {
        (self.referenceCount, self.copyCount, self.isInPlace) = (referenceCount, copyCount, isInPlace)
    }

    /// Returns whether a place can hold parameters.
    package static func isWritable(_ parameters: [String: StateValue], inPlaceWith referenceCount: Int) -> Bool {
        var measure = StateMeasure(referenceCount: referenceCount, copyCount: 0, isInPlace: true)
        measure.add(.dictionary(parameters), depth: 1)
        return measure.isWritable
    }

    package mutating func add(_ value: StateValue, depth: Int) {
        switch value {
        case .string(let text):
            bytes += text.utf8.count
            if text.hasLongCombiningRun { isWritable = false }
        case .data(let data): bytes += data.count
        case .date(let seconds):
            bytes += 8
            if !Self.dates.contains(seconds) { isWritable = false }
        case .array(let values):
            guard enter(values.count, depth) else { return }
            for value in values { add(value, depth: depth + 1) }
        case .dictionary(let values):
            guard enter(values.count, depth) else { return }
            for (key, value) in values {
                bytes += key.utf8.count
                if key.hasLongCombiningRun { isWritable = false }
                add(value, depth: depth + 1)
            }
        case .reference(let index): if !(0..<referenceCount).contains(index) { isWritable = false }
        case .instance(let index): if !(0..<copyCount).contains(index) { isWritable = false }
        case .object:
            bytes += 8
            if isInPlace { isWritable = false }
        case .null, .boolean, .integer, .unsigned, .real: bytes += 8
        }
    }

    private mutating func enter(_ count: Int, _ depth: Int) -> Bool {
        elements += count
        if depth > Self.greatestDepth { isWritable = false }
        return isWritable
    }
}
