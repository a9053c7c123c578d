/// The screenshot of an archive.
package struct Screenshot: Sendable, Hashable {
    package enum Format: String, Sendable, Codable, CaseIterable { case png, jpeg }
    package var format: Format
    package var bytes: [UInt8]
    package init(format: Format, bytes: [UInt8]) {
        self.format = format
        self.bytes = bytes
    }
}

package enum ScreenshotResult: Sendable, Hashable {
    case stored
    case noArchive
    case quotaExceeded(QuotaExcess)
}
