import PlacekeeperService

extension AppSetting {
    /// A quota of bytes, such as `500000` or `512MiB`.
    static func bytes(_ key: String, _ path: Path<Int?>, _ help: String) -> AppSetting {
        optional(key, path, "BYTES[KiB|MiB|GiB]", help, read: { byteCount($0) }, write: { text(ofByteCount: $0) })
    }

    /// A quota of a number of things.
    static func count(_ key: String, _ path: Path<Int?>, _ range: ClosedRange<Int>, _ help: String) -> AppSetting {
        optional(
            key, path, "\(range.lowerBound)…\(range.upperBound)", help,
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }

    /// The suffixes of byte counts, the greatest unit first.
    private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]

    private static func byteCount(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.0) }
        guard let number = Int(text.dropLast(unit?.0.count ?? 0)) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return !overflow && Limits.quotaBytes.contains(bytes) ? bytes : nil
    }

    /// Returns a byte count in the greatest unit of which it is a multiple.
    private static func text(ofByteCount bytes: Int) -> String {
        guard bytes > 0, let unit = units.first(where: { bytes.isMultiple(of: $0.1) }) else { return "\(bytes)" }
        return "\(bytes / unit.1)\(unit.0)"
    }
}
