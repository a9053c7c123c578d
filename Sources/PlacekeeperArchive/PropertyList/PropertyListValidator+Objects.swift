extension PropertyListValidator {
    /// Validates each object separately: its type, its length, and that it lies within the object area. Also checks
    /// that all objects together are no longer than the object area.
    mutating func validateObjects() throws(ArchiveError) {
        // A local copy, which the compiler can keep in registers while `self` changes.
        let view = view
        let end = view.geometry.tableOffset
        var unclaimed = end - BinaryPropertyList.Geometry.headerSize
        var greatestUID = GreatestUID()
        for object in 0..<view.geometry.objectCount {
            let stated = view.statedOffset(of: object)
            guard stated >= UInt64(BinaryPropertyList.Geometry.headerSize), stated < UInt64(end) else {
                throw ArchiveError(.objectOffset, at: end + Int(object) * view.geometry.offsetWidth)
            }
            let offset = Int(stated)
            unclaimed -= try validateObject(object, at: offset, end: end, in: view, &greatestUID)
            meter.consume(1)
            guard unclaimed >= 0 else { throw ArchiveError(.overlappingObjects, at: offset) }
        }
        self.view.geometry.greatestUID = greatestUID.value
        self.view.geometry.greatestUIDOffset = greatestUID.offset
    }

    private struct GreatestUID {
        var value: UInt64 = 0
        var offset = 0
    }

    /// Validates an object and returns its length.
    @inline(__always)
    private mutating func validateObject(
        _ object: UInt32, at offset: Int, end: Int, in view: PropertyListView, _ greatestUID: inout GreatestUID
    ) throws(ArchiveError) -> Int {
        let marker = view.byte(at: offset)
        let low = Int(marker & 0xF)
        switch marker >> 4 {
        case 0x8:
            guard low < 8 else { throw ArchiveError(.uidWidth, at: offset) }
            guard offset + 2 + low <= end else { throw ArchiveError(.objectEnd, at: offset) }
            let value = view.number(at: offset + 1, width: low + 1)
            if value >= greatestUID.value { greatestUID = GreatestUID(value: value, offset: offset) }
            return 2 + low
        case 0x5:
            let (start, count) = try claim(at: offset, unit: 1, end: end, in: view)
            try validateASCII(at: start, count: count, in: view)
            marks[Int(object)] = Mark.string
            return start + count - offset
        case 0x6:
            let (start, count) = try claim(at: offset, unit: 2, end: end, in: view)
            try validateUTF16(at: start, count: count)
            marks[Int(object)] = Mark.string
            return start + 2 * count - offset
        case 0xA:
            let (start, count) = try claim(at: offset, unit: view.geometry.referenceWidth, end: end, in: view)
            marks[Int(object)] = Mark.container
            return start + count * view.geometry.referenceWidth - offset
        case 0xD:
            let (start, count) = try claim(at: offset, unit: 2 * view.geometry.referenceWidth, end: end, in: view)
            marks[Int(object)] = Mark.container
            return start + count * 2 * view.geometry.referenceWidth - offset
        case 0x4:
            let (start, count) = try claim(at: offset, unit: 1, end: end, in: view)
            return start + count - offset
        default:
            return try validateNumber(marker, at: offset, end: end)
        }
    }

    private func validateNumber(_ marker: UInt8, at offset: Int, end: Int) throws(ArchiveError) -> Int {
        let low = Int(marker & 0xF)
        let length: Int
        switch marker >> 4 {
        case 0x0 where low == 8 || low == 9:
            return 1
        case 0x1:
            guard low <= 4 else { throw ArchiveError(.integerWidth, at: offset) }
            length = 1 + 1 << low
        case 0x2:
            guard low == 2 || low == 3 else { throw ArchiveError(.realWidth, at: offset) }
            length = 1 + 1 << low
        case 0x3:
            guard low == 3 else { throw ArchiveError(.dateWidth, at: offset) }
            length = 9
        default:
            throw ArchiveError(.unknownMarker, at: offset)
        }
        guard length <= end - offset else { throw ArchiveError(.objectEnd, at: offset) }
        if marker == 0x14 {
            // The high 8 of 16 bytes must be all zeros for an unsigned number, or all ones for a negative number.
            let high = view.word(at: offset + 1)
            let isNegative = view.byte(at: offset + 9) >= 0x80
            guard high == 0 || (high == .max && isNegative) else { throw ArchiveError(.integerRange, at: offset) }
        } else if marker == 0x33 {
            guard PropertyListDate.isValid(Double(bitPattern: view.word(at: offset + 1))) else {
                throw ArchiveError(.dateRange, at: offset)
            }
        }
        return length
    }

    /// Reads an object's count, and validates that `count` units of `unit` bytes fit before `end`.
    @inline(__always)
    private func claim(
        at offset: Int, unit: Int, end: Int, in view: PropertyListView
    ) throws(ArchiveError) -> (start: Int, count: Int) {
        var (start, count) = (offset + 1, Int(view.byte(at: offset) & 0xF))
        if count == 0xF { (start, count) = try longCount(at: offset + 1, end: end) }
        // `count` is at most the number of remaining bytes, so the product cannot overflow.
        guard count <= end - start, count * unit <= end - start else { throw ArchiveError(.countTooLarge, at: offset) }
        return (start, count)
    }

    private func longCount(at offset: Int, end: Int) throws(ArchiveError) -> (start: Int, count: Int) {
        guard offset < end else { throw ArchiveError(.objectEnd, at: offset) }
        let marker = view.byte(at: offset)
        guard marker >> 4 == 0x1 else { throw ArchiveError(.countNotInteger, at: offset) }
        guard marker & 0xF <= 4 else { throw ArchiveError(.integerWidth, at: offset) }
        let width = 1 << Int(marker & 0xF)
        guard width < end - offset else { throw ArchiveError(.objectEnd, at: offset) }
        guard width <= 8 else { throw ArchiveError(.countTooLarge, at: offset) }
        let count = Int64(bitPattern: view.number(at: offset + 1, width: width))
        guard count >= 0 else { throw ArchiveError(.countNegative, at: offset) }
        return (offset + 1 + width, Int(clamping: count))
    }

    @inline(__always)
    private func validateASCII(at start: Int, count: Int, in view: PropertyListView) throws(ArchiveError) {
        var position = start
        let end = start + count
        var bits: UInt64 = 0
        while end - position >= 8 {
            bits |= view.word(at: position)
            position += 8
        }
        if position < end { bits |= view.number(at: position, width: end - position) }
        guard bits & 0x8080_8080_8080_8080 != 0 else { return }
        for position in start..<end where view.byte(at: position) >= 0x80 {
            throw ArchiveError(.nonASCII, at: position)
        }
    }

    private mutating func validateUTF16(at start: Int, count: Int) throws(ArchiveError) {
        var expectsLow = false
        for index in 0..<count {
            // The high byte is enough to tell apart the halves of a surrogate pair (RFC 2781, section 2.1).
            let high = view.byte(at: start + 2 * index) & 0xFC
            guard (high == 0xDC) == expectsLow else { throw ArchiveError(.loneSurrogate, at: start + 2 * index) }
            expectsLow = high == 0xD8
        }
        guard !expectsLow else { throw ArchiveError(.loneSurrogate, at: start + 2 * count - 2) }
        // A run cannot be longer than its string, and nearly all strings are shorter than the longest allowed run.
        if count > CombiningRun.limit { try validateCombiningRuns(at: start, count: count) }
    }

    private mutating func validateCombiningRuns(at start: Int, count: Int) throws(ArchiveError) {
        var run = CombiningRun()
        var index = 0
        while index < count {
            let position = start + 2 * index
            var scalar = UInt32(truncatingIfNeeded: view.number(at: position, width: 2))
            if scalar & 0xFC00 == 0xD800 {
                // A surrogate pair, validated by `validateUTF16`. Decoded as in RFC 2781, section 2.2.
                let low = UInt32(truncatingIfNeeded: view.number(at: position + 2, width: 2))
                scalar = 0x1_0000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                index += 1
            }
            guard run.take(scalar) else { throw ArchiveError(.combiningRun, at: position) }
            meter.consume(1)
            index += 1
        }
    }
}

/// Dates in property lists: seconds since the start of 2001, UTC.
package enum PropertyListDate {
    /// Returns whether a date is between Foundation's `distantPast` and the end of the year 9999. Foundation prints
    /// `distantPast` as the first day of year 1.
    package static func isValid(_ seconds: Double) -> Bool { seconds >= -63_114_076_800 && seconds < 252_423_993_600 }
}
