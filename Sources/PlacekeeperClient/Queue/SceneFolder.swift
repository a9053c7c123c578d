import PlacekeeperArchive

/// The files of one scene on one device: the unsent captures and outcomes, and the scene's last state.
///
/// Every change is a single file operation, so killing the process leaves the folder as it was either before or after
/// the change. Other processes of the app may add files.
final class SceneFolder {
    let files: any FileSystem
    let folder: String
    /// The unsent files, by sequence number.
    private(set) var waiting: [FileName] = [] {
        didSet { captureCount = waiting.count { $0.state == .pending || $0.state == .sending } }
    }
    /// The scene's last acknowledged or restored state. Read once, then cached.
    private var lastState: (capture: Capture, bytes: [UInt8])?
    private var hasReadLast = false
    private var lastSequence: Int64 = 0
    /// The item of the last dismissed place that was behind. The outer `nil` means that the file was not read yet.
    private var knownDismissedItem: StateArchive??

    /// The maximum state size that the service accepts, in bytes. For a larger state, only the place and the references
    /// are sent.
    static let sentStateLimit = 1 << 20
    /// The maximum size of a served state, in bytes. Inserting identifiers on the service can make an accepted state
    /// larger.
    static let servedStateLimit = 2 << 20
    /// The maximum state size that this device keeps, in bytes. For a larger state, only the place and the references
    /// are kept.
    static let keptStateLimit = 16 << 20
    /// The maximum file size, in bytes: an archive and its header.
    private static let fileLimit = keptStateLimit + (64 << 10)

    init(_ files: any FileSystem, _ folder: String) {
        self.files = files
        self.folder = folder
    }

    /// Reads the names of the unsent files.
    func refresh() throws(FileError) {
        waiting = try files.names(in: folder).compactMap(FileName.init).sorted { $0.isBefore($1) }
    }

    /// The number of captures that are pending or being sent.
    private(set) var captureCount = 0
    /// The captures that are pending or being sent, oldest first.
    var captures: [FileName] { waiting.filter { $0.state == .pending || $0.state == .sending } }
    /// Whether the folder contains no state: the scene was never used on this device.
    var isUnused: Bool { captures.isEmpty && (try? last()) == nil }

    /// Returns the next sequence number, which is greater than every earlier number. If the files of earlier captures
    /// were lost, this holds unless the clock was set back.
    func nextSequence(at now: ClockReading) -> Int64 {
        let milliseconds = now.wall.isFinite ? Int64(min(max(now.wall * 1000, 0), 1e15)) : 0
        let last = (try? last())?.capture
        let greatest = max(
            waiting.map(\.sequence).max() ?? 0, last?.sequence ?? 0, last?.laterSequence ?? 0, lastSequence)
        lastSequence = max(greatest &+ 1, milliseconds)
        return lastSequence
    }

    /// Makes all further sequence numbers greater than this one.
    func continueSequence(after sequence: Int64) { lastSequence = max(lastSequence, sequence) }

    /// Adds a capture.
    func add(_ capture: Capture, _ bytes: [UInt8]) throws(FileError) {
        let name = FileName(.pending, sequence: capture.sequence, archive: capture.archive)
        try files.write(ChecksummedFile.encode(capture, bytes), to: path(name))
        insert(name)
    }

    /// Adds an outcome, ordered by the current sequence number.
    func add(_ outcome: QueuedOutcome, at now: ClockReading, id: String) throws(FileError) {
        let name = FileName(.outcome, sequence: nextSequence(at: now), archive: id)
        try files.write(ChecksummedFile.encode(outcome, []), to: path(name))
        insert(name)
    }

    /// Reads a capture. Removes a damaged file.
    func capture(_ name: FileName) throws(FileError) -> Reading<Capture> { try read(name) }

    /// Reads an outcome. Removes a damaged file.
    func outcome(_ name: FileName) throws(FileError) -> Reading<QueuedOutcome> { try read(name) }

    /// The result of reading an unsent file.
    enum Reading<Header> {
        case read(Header, [UInt8])
        /// The file no longer exists: another process sent it.
        case gone
        /// The file was damaged and has been removed.
        case damaged
        /// The file is from a newer version of the client, so this version leaves it alone.
        case newer
    }

    /// Claims a capture for sending. Returns `nil` if another process has claimed it.
    func claim(_ name: FileName) throws(FileError) -> FileName? { try move(name, to: .sending) }

    /// Makes a claimed capture pending again.
    func release(_ name: FileName) throws(FileError) { _ = try move(name, to: .pending) }

    /// Keeps a capture that the service refused, and removes earlier refused captures.
    func refuse(_ name: FileName) throws(FileError) {
        for refused in waiting where refused.state == .refused { try remove(refused) }
        try removeSnapshot(of: name)
        _ = try move(name, to: .refused)
    }

    /// Removes a capture and its screenshot, or another file.
    func remove(_ name: FileName) throws(FileError) {
        try files.remove(path(name))
        waiting.removeAll { $0 == name }
        if name.state != .snapshot { try removeSnapshot(of: name) }
    }

    // MARK: - Snapshots

    /// The maximum screenshot size that the service accepts, in bytes.
    static let snapshotLimit = 2 << 20

    /// Adds a screenshot to a pending capture.
    func add(snapshot: [UInt8], to capture: Capture) throws(FileError) {
        let name = FileName(.snapshot, sequence: capture.sequence, archive: capture.archive)
        try files.write(ChecksummedFile.encode(capture.archive, snapshot), to: path(name))
        insert(name)
    }

    /// Reads a screenshot. Returns `nil` if the file is gone or damaged.
    func snapshot(_ name: FileName) throws(FileError) -> [UInt8]? {
        do {
            guard let bytes = try files.read(path(name), limit: Self.snapshotLimit + (64 << 10)) else { return nil }
            return try? ChecksummedFile.decode(String.self, bytes).content
        } catch .tooLarge { return nil }
    }

    private func removeSnapshot(of capture: FileName) throws(FileError) {
        for name in waiting where name.state == .snapshot && name.archive == capture.archive { try remove(name) }
    }

    // MARK: - The last state

    /// Returns the scene's last acknowledged or restored state.
    func last() throws(FileError) -> (capture: Capture, bytes: [UInt8])? {
        if !hasReadLast {
            if let bytes = try readFile("last"), let file = try? ChecksummedFile.decode(Capture.self, bytes) {
                lastState = (file.header, file.content)
            }
            hasReadLast = true
        }
        return lastState
    }

    /// Makes a sent capture the scene's last state, unless it is a view-only capture of another place. Earlier pending
    /// captures are kept.
    ///
    /// The entity tag and the revision come from the service. With the tag, the next launch asks only for a newer
    /// archive.
    func acknowledge(
        _ name: FileName, _ capture: Capture, _ bytes: [UInt8], tag: String?, revision: Int64?
    ) throws(FileError) {
        if capture.looksAway == true {
            if var last = try last(), last.capture.sequence < capture.sequence {
                last.capture.laterSequence = capture.sequence
                try files.write(ChecksummedFile.encode(last.capture, last.bytes), to: folder + "/last")
                lastState = last
            }
            return try remove(name)
        }
        if let last = try last(), last.capture.sequence > capture.sequence { return try remove(name) }
        guard try files.rename(path(name), to: folder + "/last") else { return try refresh() }
        waiting.removeAll { $0 == name }
        lastState = (capture, bytes)
        // Losing the tag only makes the next response longer.
        try files.writeUnsynced(
            ChecksummedFile.encode(Tag(archive: capture.archive, tag: tag, revision: revision), []), to: folder + "/tag"
        )
    }

    /// Stores another device's archive as the scene's last state, because this device restored it.
    func keep(_ capture: Capture, _ bytes: [UInt8]) throws(FileError) {
        try files.write(ChecksummedFile.encode(capture, bytes), to: folder + "/last")
        (hasReadLast, lastState) = (true, (capture, bytes))
    }

    // MARK: - The entity tag of the last state

    private struct Tag: Codable {
        var archive: String
        var tag: String?
        var revision: Int64?
    }

    /// Returns the entity tag of an archive.
    func tag(of archive: String) throws(FileError) -> String? { try readTag(of: archive)?.tag }

    /// Returns the revision of an archive that the service acknowledged.
    func revision(of archive: String) throws(FileError) -> Int64? { try readTag(of: archive)?.revision }

    private func readTag(of archive: String) throws(FileError) -> Tag? {
        guard let bytes = try readFile("tag"), let file = try? ChecksummedFile.decode(Tag.self, bytes) else {
            return nil
        }
        return file.header.archive == archive ? file.header : nil
    }

    /// Removes everything saved before a sequence number: the unsent captures and outcomes, and the last state.
    ///
    /// The service rejects interactions from before it deleted the scene, so later captures get the time of its
    /// response.
    func forget(before sequence: Int64, at now: ClockReading) throws(FileError) {
        for name in waiting where name.sequence < sequence { try remove(name) }
        for name in captures {
            guard case .read(var capture, let bytes) = try self.capture(name) else { continue }
            // A view-only state is not the user's work, so it does not recreate the deleted scene.
            guard !capture.isView else {
                try remove(name)
                continue
            }
            capture.interactedAt = now
            try files.write(ChecksummedFile.encode(capture, bytes), to: path(name))
        }
        try endRestore()
        try forgetDismissedItem()
        guard let last = try last(), last.capture.sequence < sequence || last.capture.restored != nil else { return }
        try files.remove(folder + "/last")
        try files.remove(folder + "/tag")
        lastState = nil
        continueSequence(after: sequence)
    }

    // MARK: - The restore of a process

    /// Records a restore. If the process dies before `endRestore()`, the next launch counts the death.
    func beginRestore(_ restore: BegunRestore) throws(FileError) {
        // The file must survive a crash of the app, which an unsynced file does. A launch must not wait for the disk.
        try files.writeUnsynced(ChecksummedFile.encode(restore, []), to: folder + "/restoring")
    }

    /// Returns the recorded restore.
    func begunRestore() throws(FileError) -> BegunRestore? {
        try readFile("restoring").flatMap { try? ChecksummedFile.decode(BegunRestore.self, $0).header }
    }

    /// Stops watching the restore.
    func endRestore() throws(FileError) { try files.remove(folder + "/restoring") }

    /// Returns the ids of the archives whose offers the user dismissed on this device.
    func dismissedArchives() throws(FileError) -> [String] {
        try readFile("dismissed").flatMap { try? ChecksummedFile.decode([String].self, $0).header } ?? []
    }

    /// Records that the user dismissed the offer of an archive. Only the latest 16 are kept.
    func noteDismissal(of archive: String) throws(FileError) {
        let archives = Array(try dismissedArchives().filter { $0 != archive }.suffix(15)) + [archive]
        try files.write(ChecksummedFile.encode(archives, []), to: folder + "/dismissed")
    }

    // MARK: - The item of the dismissed place

    /// Returns a state whose place is in the dismissed item, or `nil` if none was dismissed.
    func dismissedItem() throws(FileError) -> StateArchive? {
        if let known = knownDismissedItem { return known }
        let item = try readFile("behind").flatMap { try? ChecksummedFile.decode(Int.self, $0) }
            .flatMap { StateArchive(kept: $0.content) }
        knownDismissedItem = .some(item)
        return item
    }

    /// Records that the user dismissed the offer of a place behind this device's own place in the same item.
    func noteDismissedItem(of archive: StateArchive) throws(FileError) {
        guard let place = archive.placeOnly(within: Self.servedStateLimit) else { return }
        try files.write(ChecksummedFile.encode(1, place.bytes), to: folder + "/behind")
        knownDismissedItem = .some(place.archive)
    }

    /// Forgets the dismissed item when the user works in another one.
    func noteWork(at archive: StateArchive) throws(FileError) {
        guard archive.hasProgress, let item = try dismissedItem(), archive.progress(beside: item) == nil else { return }
        try forgetDismissedItem()
    }

    func forgetDismissedItem() throws(FileError) {
        guard try dismissedItem() != nil else { return }
        try files.remove(folder + "/behind")
        knownDismissedItem = .some(nil)
    }

    // MARK: -

    private func read<Header: Decodable>(_ name: FileName) throws(FileError) -> Reading<Header> {
        let bytes: [UInt8]?
        do { bytes = try files.read(path(name), limit: Self.fileLimit) } catch .tooLarge { bytes = [] }
        guard let bytes else {
            waiting.removeAll { $0 == name }
            return .gone
        }
        do throws(ChecksummedFile.Fault) {
            let file = try ChecksummedFile.decode(Header.self, bytes)
            return .read(file.header, file.content)
        } catch {
            waiting.removeAll { $0 == name }
            if error == .newer { return .newer }
            try files.remove(path(name))
            return .damaged
        }
    }

    func readFile(_ name: String) throws(FileError) -> [UInt8]? {
        do { return try files.read(folder + "/" + name, limit: Self.fileLimit) } catch .tooLarge { return nil }
    }

    private func move(_ name: FileName, to state: FileName.State) throws(FileError) -> FileName? {
        guard name.state != state else { return name }
        let new = name.with(state)
        waiting.removeAll { $0 == name }
        guard try files.rename(path(name), to: path(new)) else { return nil }
        insert(new)
        return new
    }

    private func insert(_ name: FileName) {
        waiting.removeAll { $0 == name }
        let index = waiting.firstIndex { name.isBefore($0) } ?? waiting.count
        waiting.insert(name, at: index)
    }

    private func path(_ name: FileName) -> String { folder + "/" + name.text }
}
