package import PlacekeeperCore

/// The kinds of numbers in databases, backups, exports and transfers, with their ranges.
///
/// All code that reads such files uses these kinds. Sums of these numbers can't overflow, and an import or restore
/// accepts only numbers that a store can read later.
package enum StoredNumber: String, Sendable, Hashable, CaseIterable {
    /// A number that isn't used in calculations: a key, a row, or a number chosen by the app.
    case any
    case flag
    /// A revision of a user, or a position in a log.
    case revision
    /// Milliseconds since 1970, in the years 1 to 9999.
    case time
    /// Hours since 1970.
    case hour
    /// Days since 1970.
    case day
    /// A number of rows or bytes.
    case count
    /// The number of bytes of an archive.
    case size
    /// A capture's sequence number, or -1 if the client didn't send one.
    case sequence
    /// A launch number.
    case launchNumber = "launch number"
    case idiom, layout, access
    /// The index of a step in a place.
    case step
    /// The duration of a restore in milliseconds.
    case duration
    /// The kind of a restore log entry.
    case logKind = "kind"
    /// The encoding of an archive's bytes.
    case encoding
    /// The version of a row in PostgreSQL. It only increases, and starts at the microseconds since 1970.
    case version

    private static let largest = Int64(Limits.storedCount)
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The revisions and cursors allowed in an import. The range leaves room for many later changes.
    package static let imported: ClosedRange<Int64> = 0...1 << 52

    package var range: ClosedRange<Int64> {
        switch self {
        case .any: .min ... .max
        case .flag, .layout, .access, .encoding: 0...1
        case .revision, .count: 0...Self.largest
        case .time: Self.times
        case .hour:
            Timestamp(milliseconds: Self.times.lowerBound).hour...Timestamp(milliseconds: Self.times.upperBound).hour
        case .day:
            Timestamp(milliseconds: Self.times.lowerBound).day...Timestamp(milliseconds: Self.times.upperBound).day
        case .size: 0...Int64(Limits.archive)
        case .sequence: -1 ... .max
        case .launchNumber: Limits.launchNumber
        case .idiom: Int64(Idiom.least)...Int64(Idiom.greatest)
        case .step: Int64(Limits.placeStep.lowerBound)...Int64(Limits.placeStep.upperBound)
        case .duration:
            Limits.restoreDuration.lowerBound.wholeMilliseconds...Limits.restoreDuration.upperBound.wholeMilliseconds
        case .logKind: 0...2
        case .version: 0...1 << 62
        }
    }

    /// Numbers in the range that are not allowed.
    package var gaps: [Int64] {
        guard self == .idiom else { return [] }
        return range.filter { number in !Idiom.allCases.contains { Int64($0.rawValue) == number } }
    }

    package func isAllowed(_ number: Int64) -> Bool { range.contains(number) && !gaps.contains(number) }

    /// Returns the number, or throws `corrupt` if it is out of range.
    package func checked(
        _ number: Int64, in column: @autoclosure () -> String? = nil
    ) throws(StoreError) -> Int64 {
        guard range.contains(number) else { throw outOfRange(number, column()) }
        return number
    }

    /// Returns the nearest number in the range.
    package func clamped(_ number: Int64) -> Int64 { min(max(number, range.lowerBound), range.upperBound) }

    private func outOfRange(_ number: Int64, _ column: String?) -> StoreError {
        let place = column.map { " in the column \($0)" } ?? ""
        return .corrupt(
            "A \(rawValue)\(place) is \(number), which is not between \(range.lowerBound) and \(range.upperBound).")
    }
}

extension StoreError {
    /// The error for a value outside a fixed set.
    package static func unknown(_ noun: String) -> StoreError { .corrupt("A row has an unknown \(noun).") }
}
