import PlacekeeperCore
import PlacekeeperService

extension AppSetting {
    /// A quota in bytes, such as `500000` or `512MiB`.
    static func bytes(_ key: String, _ path: Path<Int?>, _ help: String) -> AppSetting {
        optional(
            key, path, "SIZE", help,
            read: { ByteCount.parse($0).flatMap { Limits.quotaBytes.contains($0) ? $0 : nil } },
            write: ByteCount.text)
    }

    /// A quota that counts things, such as devices.
    static func count(_ key: String, _ path: Path<Int?>, _ range: ClosedRange<Int>, _ help: String) -> AppSetting {
        optional(
            key, path, "\(range.lowerBound)…\(range.upperBound)", help,
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }
}
