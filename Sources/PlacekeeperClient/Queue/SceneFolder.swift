import PlacekeeperArchive

/// The files of one scene of one device: the captures and outcomes that wait to be sent, and the scene's last state.
///
/// Each change is one file operation, so a process that is killed leaves the folder in a state before or after the
/// change. Other processes of the app may add files.
final class SceneFolder {
    let files: any FileSystem
    let folder: String
    /// The files that wait, by their sequence numbers.
    private(set) var waiting: [FileName] = [] {
        didSet { captureCount = waiting.count { $0.state == .pending || $0.state == .sending } }
    }
    /// The scene's last acknowledged or restored state. Read once, then kept in memory.
    private var lastState: (capture: Capture, bytes: [UInt8])?
    private var hasReadLast = false
    private var lastSequence: Int64 = 0
    /// The item of the last place behind that the person dismissed. Nil if the file was not read yet.
    private var knownDismissedItem: StateArchive??

    /// The greatest size of a state that the service accepts. Of a larger state, the place and the references are sent.
    static let sentStateLimit = 1 << 20
    /// The greatest size of a served state. The service's identifiers possibly make an accepted state larger.
    static let servedStateLimit = 2 << 20
    /// The greatest size of a state that this device keeps. Of a larger state, the place and the references are kept.
    static let keptStateLimit = 16 << 20
    /// The greatest size of a file: an archive, and its header.
    private static let fileLimit = keptStateLimit + (64 << 10)

    init(_ files: any FileSystem, _ folder: String) {
        self.files = files
        self.folder = folder
    }

    /// Reads the names of the files that wait.
    func refresh() throws(FileError) {
        waiting = try files.names(in: folder).compactMap(FileName.init).sorted { $0.isBefore($1) }
    }

    /// The number of captures that wait or are being sent.
    private(set) var captureCount = 0
    /// The captures that wait or are being sent, oldest first.
    var captures: [FileName] { waiting.filter { $0.state == .pending || $0.state == .sending } }
    /// Whether the folder holds no state: the scene was never used on this device.
    var isUnused: Bool { captures.isEmpty && (try? last()) == nil }

    /// Returns the next sequence number. It is greater than every earlier number, also if the files of earlier captures
    /// were lost, unless the clock was set back.
    func nextSequence(at now: ClockReading) -> Int64 {
        let milliseconds = now.wall.isFinite ? Int64(min(max(now.wall * 1000, 0), 1e15)) : 0
        let last = (try? last())?.capture
        let greatest = max(
            waiting.map(\.sequence).max() ?? 0, last?.sequence ?? 0, last?.laterSequence ?? 0, lastSequence)
        lastSequence = max(greatest &+ 1, milliseconds)
        return lastSequence
    }

    /// Makes later sequence numbers greater than a number.
    func continueSequence(after sequence: Int64) { lastSequence = max(lastSequence, sequence) }

    /// Adds a capture.
    func add(_ capture: Capture, _ bytes: [UInt8]) throws(FileError) {
        let name = FileName(.pending, sequence: capture.sequence, archive: capture.archive)
        try files.write(ChecksummedFile.encode(capture, bytes), to: path(name))
        insert(name)
    }

    /// Adds an outcome. Its place in the order is the sequence number of the present.
    func add(_ outcome: QueuedOutcome, at now: ClockReading, id: String) throws(FileError) {
        let name = FileName(.outcome, sequence: nextSequence(at: now), archive: id)
        try files.write(ChecksummedFile.encode(outcome, []), to: path(name))
        insert(name)
    }

    /// Reads a capture. Nil if the file does not exist any more. A damaged file is removed.
    func capture(_ name: FileName) throws(FileError) -> Reading<Capture> { try read(name) }

    /// Reads an outcome. Nil if the file does not exist any more. A damaged file is removed.
    func outcome(_ name: FileName) throws(FileError) -> Reading<QueuedOutcome> { try read(name) }

    /// The result of reading a file that waits.
    enum Reading<Header> {
        case read(Header, [UInt8])
        /// The file does not exist any more: another process sent it.
        case gone
        /// The file was damaged, and is removed.
        case damaged
        /// A newer version of the client wrote the file. This version leaves it alone.
        case newer
    }

    /// Claims a capture for sending. Returns nil if another process has claimed it.
    func claim(_ name: FileName) throws(FileError) -> FileName? { try move(name, to: .sending) }

    /// Gives a claimed capture back.
    func release(_ name: FileName) throws(FileError) { _ = try move(name, to: .pending) }

    /// Keeps a capture that the service refuses. Earlier refused captures are removed.
    func refuse(_ name: FileName) throws(FileError) {
        for refused in waiting where refused.state == .refused { try remove(refused) }
        try removeSnapshot(of: name)
        _ = try move(name, to: .refused)
    }

    /// Removes a capture with its snapshot, or another file.
    func remove(_ name: FileName) throws(FileError) {
        try files.remove(path(name))
        waiting.removeAll { $0 == name }
        if name.state != .snapshot { try removeSnapshot(of: name) }
    }

    // MARK: - Snapshots

    /// The greatest size of a snapshot, which the service accepts.
    static let snapshotLimit = 2 << 20

    /// Adds a snapshot of the screen to a capture that waits.
    func add(snapshot: [UInt8], to capture: Capture) throws(FileError) {
        let name = FileName(.snapshot, sequence: capture.sequence, archive: capture.archive)
        try files.write(ChecksummedFile.encode(capture.archive, snapshot), to: path(name))
        insert(name)
    }

    /// Reads a snapshot. Nil if the file is gone or damaged.
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

    /// Makes a sent capture the scene's last state, unless it is a view-only capture of another place. Earlier captures that are
    /// still waiting stay. The entity tag and the revision are the service's. With the entity tag, the next launch asks
    /// only for a newer archive.
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
        // A lost tag costs a longer answer.
        try files.writeUnsynced(
            ChecksummedFile.encode(Tag(archive: capture.archive, tag: tag, revision: revision), []), to: folder + "/tag"
        )
    }

    /// Stores an archive of another device as the scene's last state, because this device restored it.
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

    /// Returns the entity tag of an archive's bytes.
    func tag(of archive: String) throws(FileError) -> String? { try readTag(of: archive)?.tag }

    /// Returns the revision of an archive that the service acknowledged.
    func revision(of archive: String) throws(FileError) -> Int64? { try readTag(of: archive)?.revision }

    private func readTag(of archive: String) throws(FileError) -> Tag? {
        guard let bytes = try readFile("tag"), let file = try? ChecksummedFile.decode(Tag.self, bytes) else {
            return nil
        }
        return file.header.archive == archive ? file.header : nil
    }

    /// Removes what was saved before a sequence number: the captures and outcomes that wait, and the last state. The service
    /// refuses interactions before it forgot the scene, so later captures count as made now, when it has answered.
    func forget(before sequence: Int64, at now: ClockReading) throws(FileError) {
        for name in waiting where name.sequence < sequence { try remove(name) }
        for name in captures {
            guard case .read(var capture, let bytes) = try self.capture(name) else { continue }
            // A state that was only looked at is not the beginning of a new one.
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

    /// Notes a restore. If the process dies before `endRestore()`, the next launch counts its death.
    func beginRestore(_ restore: BegunRestore) throws(FileError) {
        // The file tells a crash of the app, after which an unsynced file exists. A launch does not wait for the disk.
        try files.writeUnsynced(ChecksummedFile.encode(restore, []), to: folder + "/restoring")
    }

    /// Returns the noted restore.
    func begunRestore() throws(FileError) -> BegunRestore? {
        try readFile("restoring").flatMap { try? ChecksummedFile.decode(BegunRestore.self, $0).header }
    }

    /// Ends the watch over the restore.
    func endRestore() throws(FileError) { try files.remove(folder + "/restoring") }

    /// Returns the ids of the archives whose offers the person dismissed on this device.
    func dismissedArchives() throws(FileError) -> [String] {
        try readFile("dismissed").flatMap { try? ChecksummedFile.decode([String].self, $0).header } ?? []
    }

    /// Notes that the person dismissed the offer of an archive. The latest 16 are kept.
    func noteDismissal(of archive: String) throws(FileError) {
        let archives = Array(try dismissedArchives().filter { $0 != archive }.suffix(15)) + [archive]
        try files.write(ChecksummedFile.encode(archives, []), to: folder + "/dismissed")
    }

    // MARK: - The item of a place behind that the person dismissed

    /// Returns a state whose place is in the item. Nil if there is none.
    func dismissedItem() throws(FileError) -> StateArchive? {
        if let known = knownDismissedItem { return known }
        let item = try readFile("behind").flatMap { try? ChecksummedFile.decode(Int.self, $0) }
            .flatMap { StateArchive(kept: $0.content) }
        knownDismissedItem = .some(item)
        return item
    }

    /// Notes that the person dismissed the offer of a place behind this device's own place in the same item.
    func noteDismissedItem(of archive: StateArchive) throws(FileError) {
        guard let place = archive.placeOnly(within: Self.servedStateLimit) else { return }
        try files.write(ChecksummedFile.encode(1, place.bytes), to: folder + "/behind")
        knownDismissedItem = .some(place.archive)
    }

    /// Forgets the dismissed item if the person works in another one.
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
