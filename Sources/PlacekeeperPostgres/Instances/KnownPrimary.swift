import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

/// The identity of a PostgreSQL server.
struct ServerIdentity: Sendable, Hashable {
    /// The database cluster's number. A primary and all its standbys have the same one.
    var cluster: Int64
    /// The number that a server increases when it becomes the primary.
    var timeline: Int64

    /// A different number for each primary. It is added to users' versions, because two primaries may have assigned the
    /// same version to different data.
    var mark: Int64 { timeline &* 0x5851_F42D_4C95_7F2D }
}

/// The newest primary of the database that this process has seen. A replaced primary that comes back has an older
/// timeline. It accepts connections and writes, but lacks its successor's writes, so it is rejected
/// (docs/decisions/0083-postgresql.md).
///
/// The primary is stored in a file, so a restarted service also rejects the old one. On startup, a service may switch
/// to another cluster, because an operator may have restored a dump into it. A running service may not switch.
final class KnownPrimary: Sendable {
    private struct State {
        var known: ServerIdentity?
        /// Whether this process has used the cluster.
        var isUsed = false
    }

    private let state: LockBox<State>
    /// The server stored in the file.
    private let saved: LockBox<ServerIdentity?>
    private let path: String?

    /// - Parameter path: the file that stores the primary. `nil` to store it nowhere.
    init(path: String?) {
        self.path = path
        let known = path.flatMap(Self.read)
        state = LockBox(State(known: known))
        saved = LockBox(known)
    }

    /// Returns whether a server that was recorded before may still be used. Always true for a server without an
    /// identity.
    func accepts(_ server: ServerIdentity?) -> Bool {
        guard let server else { return true }
        return state.withLock {
            $0.known.map { $0.cluster == server.cluster && $0.timeline <= server.timeline } ?? true
        }
    }

    /// The newest known primary.
    var newest: ServerIdentity? { state.withLock(\.known) }

    /// Records a server. Throws `unavailable` if it may not be used or the file can't be written.
    func note(_ server: ServerIdentity?) throws(StoreError) {
        guard let server else {
            guard state.withLock({ $0.known == nil || !$0.isUsed }) else {
                throw StoreError(.unavailable, "The database server does not tell its identity any more.")
            }
            return
        }
        let (known, isUsed) = state.withLock { state in
            let before = (state.known, state.isUsed)
            let isSame = state.known?.cluster == server.cluster
            if !isSame, !state.isUsed || state.known == nil { state.known = server }
            if isSame, let known = state.known, known.timeline < server.timeline { state.known = server }
            state.isUsed = true
            return before
        }
        if let known, known.cluster == server.cluster, server.timeline < known.timeline {
            throw StoreError(
                .unavailable, "The database server is an old primary: another server replaced it.",
                cause: "its timeline is \(server.timeline), and the newest known timeline is \(known.timeline)")
        }
        if let known, known.cluster != server.cluster, isUsed {
            throw StoreError(
                .unavailable, "The database server is of another database cluster. Restart the service to use it.")
        }
        try save()
    }

    /// The mark of the newest known primary (`ServerIdentity.mark`). Read it before the data. Otherwise data could get
    /// the mark of a later primary than the one it came from.
    var mark: Int64 { state.withLock { $0.known?.mark ?? 0 } }

    /// Writes the newest known primary to the file, unless it is already there.
    private func save() throws(StoreError) {
        guard let path else { return }
        let failure = saved.withLock { saved -> StoreError? in
            // Read the newest primary under the lock, so an older one never replaces it.
            guard let known = state.withLock(\.known), known != saved else { return nil }
            do throws(StoreError) {
                try Self.write(known, to: path)
            } catch {
                return error
            }
            saved = known
            return nil
        }
        if let failure { throw failure }
    }

    /// Reads the file's line, which consists of the two numbers.
    private static func read(_ path: String) -> ServerIdentity? {
        guard let bytes = try? RegularFile.read(path, limit: 256).bytes else { return nil }
        let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        let numbers = line.split(separator: " ").compactMap { Int64($0) }
        return numbers.count == 2 ? ServerIdentity(cluster: numbers[0], timeline: numbers[1]) : nil
    }

    /// Replaces the file. A reader sees either the old line or the new one.
    private static func write(_ server: ServerIdentity, to path: String) throws(StoreError) {
        let new = path + ".new"
        let bytes = Array("\(server.cluster) \(server.timeline)\n".utf8)
        do throws(PathFault) {
            if let kind = try FileStatus.of(path)?.kind, kind != .regular { throw PathFault(path, .kind(kind)) }
            let file = try RegularFile.open(new, O_WRONLY | O_CREAT | O_NOFOLLOW)
            // The file is readable by everyone, so the service can read it even if an administrator's command created
            // it as root.
            let isWritten =
                ftruncate(file, 0) == 0 && fchmod(file, 0o644) == 0
                && PlacekeeperSystem.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
            let code = errno
            guard close(file) == 0, isWritten else {
                RegularFile.remove(new)
                throw PathFault(new, failed: "write", code)
            }
            guard rename(new, path) == 0 else { throw PathFault(path, failed: "rename", errno) }
            // Otherwise a power loss may bring the old line back.
            try FileNames.syncDirectory(of: path)
        } catch {
            throw StoreError(
                .unavailable, "The identity of the database server cannot be written.",
                cause: "\(error.path): \(error.clause)")
        }
    }
}
