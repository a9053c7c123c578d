import Dispatch
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem
import Synchronization

/// Gives the space of removed archives back to the file system, and removes their bytes from the disk
/// (docs/decisions/0085-larger-archives-in-segments.md). A place that was freed is never used again, so this can happen
/// at any time after the commit.
final class SegmentSweep: Sendable {
    private let database: String
    private let readers: ReaderPool
    private let queue = DispatchQueue(label: "placekeeper.sqlite.segments")
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        /// The earliest time of the next sweep, if there may be freed places.
        var next: ContinuousClock.Instant?
    }

    /// Places that were removed from the disk.
    private struct Swept: Sendable {
        var places: [SegmentPlace] = []
        /// Whether a backup reads the segments, or another process sweeps.
        var isBusy = false
    }

    /// The writer starts a sweep after this number of removed archives. Housekeeping sweeps the rest.
    static let usualCount = 64
    private static let placesAtOnce = 256
    private static let interval = Duration.milliseconds(900)

    init(database: String, readers: ReaderPool) {
        self.database = database
        self.readers = readers
    }

    /// Locks the segments against sweeps (`LOCK_SH`), or against backups (`LOCK_EX`). Nil if the other side has the lock.
    static func lock(_ database: String, _ mode: Int32) throws(StoreError) -> File? {
        let file = try File.orCreate(database + "-segments", O_RDWR, ownedLike: database)
        guard file.tryLock(mode) else { return nil }
        return file
    }

    /// Makes the writer start a sweep after its next commit.
    func want() { state.withLock { $0.next = .now } }

    /// Starts a sweep if enough places were freed, or if a sweep is due. The writer calls this method between two commits.
    func advance(_ segments: SegmentWriter, _ writer: Writer) {
        let (isRunning, isDue) = state.withLock { state in
            (state.isRunning, state.next.map { $0 <= .now } ?? false)
        }
        guard !isRunning, segments.takeFreed(atLeast: Self.usualCount) || isDue else { return }
        state.withLock { $0.isRunning = true }
        Task.detached { [self] in
            do {
                try await run(by: writer)
            } catch {
                // Nothing waits for this sweep. The next one tries again.
                state.withLock { $0.next = .now + Self.interval }
            }
            state.withLock { $0.isRunning = false }
        }
    }

    /// Sweeps all freed places, unless a backup reads the segments.
    ///
    /// - Parameter endsEarly: whether to leave the rest to the next sweep if the task is canceled.
    func run(by writer: Writer, endsEarly: Bool = false) async throws(StoreError) {
        state.withLock { $0.next = nil }
        while !endsEarly || !Task.isCancelled {
            let result: Result<Swept, StoreError> = await withCheckedContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(returning: Result { () throws(StoreError) in try eraseFreedPlaces() })
                }
            }
            let swept = try result.get()
            if swept.isBusy { state.withLock { $0.next = .now + Self.interval } }
            if swept.places.isEmpty { return }
            try await forget(swept.places, by: writer)
            // All places that were freed before this call are erased. Uploads may free places as fast as they are erased.
            if swept.places.count < Self.placesAtOnce { return }
        }
    }

    /// Sweeps, and deletes unused segments. Also cuts off and deletes the bytes of transactions that were not committed.
    func tidy(by writer: Writer) async throws(StoreError) {
        try await run(by: writer, endsEarly: true)
        let remains = try await writer.write { transaction throws(StoreError) in
            try transaction.segments.remains(in: transaction.connection)
        }
        let ends = try readers.read { connection throws(StoreError) in
            var ends: [Int64: Int64] = [:]
            for file in remains { ends[file.number] = try connection.endOfContents(in: file.number) }
            return ends
        }
        let unused = try await writer.write { transaction throws(StoreError) in
            try transaction.segments.delete(remains, keeping: ends, in: transaction.connection)
            return try transaction.segments.dropUnused(in: transaction.connection)
        }
        await delete(unused)
    }

    /// Removes the bytes of some freed places from the segments. Returns when this is durable.
    private func eraseFreedPlaces() throws(StoreError) -> Swept {
        let places = try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.freedPlaces)
            var places: [SegmentPlace] = []
            // A damaged row names no bytes. `findings` shows it.
            while places.count < Self.placesAtOnce, try select.step() {
                if let place = try? select.segmentPlace(0) { places.append(place) }
            }
            return places
        }
        guard !places.isEmpty else { return Swept() }
        guard let lock = try lockAlone() else { return Swept(isBusy: true) }
        for (segment, places) in Dictionary(grouping: places, by: \.segment) { try erase(places, of: segment) }
        _ = consume lock
        return Swept(places: places)
    }

    /// Locks the segments against backups. Nil if a backup reads them. Waits up to a second for another process's sweep.
    private func lockAlone() throws(StoreError) -> File? {
        for _ in 0..<100 {
            if let lock = try Self.lock(database, LOCK_EX) { return lock }
            if try Self.lock(database, LOCK_SH) != nil { return nil }
            usleep(10_000)
        }
        return nil
    }

    private func erase(_ places: [SegmentPlace], of segment: Int64) throws(StoreError) {
        guard let file = try File.existing(SegmentPlace.path(of: segment, beside: database), O_RDWR) else { return }
        for place in places {
            try file.erase(Int(place.position)..<Int(place.position + place.usedBytes))
        }
        try file.sync()
    }

    private func forget(_ places: [SegmentPlace], by writer: Writer) async throws(StoreError) {
        let unused = try await writer.write { transaction throws(StoreError) in
            for place in places {
                let delete = try transaction.connection.statement(.forgetPlace)
                delete.bind(place.segment, at: 1)
                delete.bind(place.position, at: 2)
                try delete.run()
            }
            return try transaction.segments.dropUnused(in: transaction.connection)
        }
        await delete(unused)
    }

    private func delete(_ segments: [Int64]) async {
        guard !segments.isEmpty else { return }
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                for segment in segments { unlink(SegmentPlace.path(of: segment, beside: database)) }
                continuation.resume()
            }
        }
    }
}

extension Connection {
    func hasFreedPlaces() throws(StoreError) -> Bool {
        let select = try statement(.freedPlaces)
        return try select.step()
    }
}

extension Query {
    fileprivate static let freedPlaces = Query(
        "SELECT segment, position, size FROM freed ORDER BY segment, position")
    fileprivate static let forgetPlace = Query("DELETE FROM freed WHERE segment = ?1 AND position = ?2")
}
