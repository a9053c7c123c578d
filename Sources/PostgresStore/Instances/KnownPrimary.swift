import CLibrary
import Concurrency
import RestorationService

/// The newest timeline of the database that this process has seen. A server raises its timeline when it becomes the
/// primary, so a primary that was replaced and comes back has an older one. It accepts connections and writes, but it
/// lacks the writes of its successor. Such a server is refused (docs/decisions/0083-postgresql.md).
///
/// A file keeps the timeline, so that a service that starts anew also refuses the old primary.
final class KnownPrimary: Sendable {
    private let timeline: LockBox<Int64>
    private let path: String?

    /// - Parameter path: the file that keeps the timeline. Nil if nothing keeps it.
    init(path: String?) {
        self.path = path
        timeline = LockBox(path.flatMap(Self.read) ?? 0)
    }

    /// Returns whether a server with a timeline may be used. A server that does not tell its timeline may be used.
    func accepts(_ other: Int64?) -> Bool {
        guard let other else { return true }
        return timeline.withLock { $0 <= other }
    }

    /// Notes the timeline of a server that may be used. Throws `unavailable` if the server is an old primary, or if the
    /// file cannot be written.
    func note(_ other: Int64?) throws(StoreError) {
        guard let other else { return }
        let known = timeline.withLock { known in
            defer { known = max(known, other) }
            return known
        }
        guard other >= known else {
            throw StoreError(
                .unavailable, "The database server is an old primary: another server replaced it.",
                cause: "its timeline is \(other), and the newest known timeline is \(known)")
        }
        guard other > known, let path else { return }
        try Self.write(other, to: path)
    }

    private static func read(_ path: String) -> Int64? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = CLibrary.read(file, &bytes, bytes.count)
        return Int64(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// Replaces the file. A reader sees either the old or the new number.
    private static func write(_ timeline: Int64, to path: String) throws(StoreError) {
        let new = path + ".new"
        let bytes = Array("\(timeline)\n".utf8)
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failed(path) }
        let isWritten = CLibrary.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        guard close(file) == 0, isWritten, rename(new, path) == 0 else { throw failed(path) }
    }

    private static func failed(_ path: String) -> StoreError {
        StoreError(
            .unavailable, "The timeline of the database cannot be written.",
            cause: "\(path): \(String(cString: strerror(errno)))")
    }
}
