import PlacekeeperArchive

/// This device's record of an archive whose restore went wrong.
struct BadRestore: Codable {
    var archive: String
    /// The version of the app that restored the archive. Another version may restore it without trouble.
    var bundleVersion: String?
    /// The processes that died soon after the restore.
    var deaths: [Death] = []
    /// Whether this version does not restore the archive again.
    var isRefused = false
    /// Whether the user discarded the state, so that no version restores it again.
    var isDiscarded = false
    /// Why this version only offers the archive, as the service last answered.
    var caution: String?

    struct Death: Codable {
        var launch: String
        /// The time of the restore.
        var at: ClockReading
    }

    /// Whether the state probably causes the deaths: two within a quarter of an hour, as when the user reopens a
    /// crashed app, or three in a row. `forgive` ends a row.
    fileprivate var isCrashLoop: Bool {
        guard let last = deaths.last, deaths.count > 1 else { return false }
        return deaths.count > 2 || deaths[deaths.count - 2].at.age(at: last.at) <= 900
    }

    /// Whether a version of the app must not restore the archive again. Versions are compared as on the service: if a
    /// known version could not restore the archive, an unknown version does not try either.
    fileprivate func refuses(on version: String?) -> Bool {
        guard !isDiscarded else { return true }
        return isRefused && (version == nil || isOf(version))
    }

    fileprivate func isOf(_ version: String?) -> Bool {
        guard let bundleVersion, let version else { return bundleVersion == version }
        return DottedVersion(bundleVersion) == DottedVersion(version)
    }
}

// Restores that went wrong on this device.
extension SceneFolder {
    private static let recordLimit = 32

    /// Returns the ids of the archives that a version of the app must not restore again.
    func refusedArchives(on version: String?) throws(FileError) -> Set<String> {
        Set(try badRestores().filter { $0.refuses(on: version) }.map(\.archive))
    }

    /// Stops a version of the app from restoring the archives again.
    func refuse(_ archives: [String], on version: String?) throws(FileError) {
        try change(archives, on: version) { $0.isRefused = true }
    }

    /// Stops restoring an archive, because the user discarded it.
    func noteDiscarding(of archive: String) throws(FileError) {
        try change([archive], on: nil) { $0.isDiscarded = true }
    }

    /// Records that a process died soon after restoring the first of these related archives. Returns whether this has
    /// happened too often.
    func noteDeath(of archives: [String], _ death: BadRestore.Death, on version: String?) throws(FileError) -> Bool {
        guard let first = archives.first else { return false }
        let known = try badRestores().first { $0.archive == first && $0.isOf(version) }?.deaths ?? []
        let deaths = known.filter { $0.launch != death.launch }.suffix(2) + [death]
        // A state saved after the restore inherits the history of the restored one.
        try change(archives, on: version) { $0.deaths = Array(deaths) }
        return BadRestore(archive: first, deaths: Array(deaths)).isCrashLoop
    }

    /// Records why a version of the app must only offer an archive. `nil` if it may restore it.
    func note(_ caution: Placekeeper.Reason?, about archive: String, on version: String?) throws(FileError) {
        guard try self.caution([archive], on: version)?.code != caution?.code else { return }
        try change([archive], on: version) { $0.caution = caution?.code.rawValue }
    }

    /// Returns why a version of the app only offers one of these archives.
    func caution(_ archives: [String], on version: String?) throws(FileError) -> Placekeeper.Reason? {
        try badRestores().last { archives.contains($0.archive) && $0.isOf(version) && $0.caution != nil }?.caution
            .map { .init(.init(rawValue: $0)) }
    }

    /// Clears the record of an archive for a version of the app, because the process survived restoring it.
    func forgive(_ archive: String, on version: String?) throws(FileError) {
        let records = try badRestores()
        let others = records.filter { $0.archive != archive || !$0.isOf(version) || $0.isDiscarded }
        if others.count < records.count { try write(others) }
    }

    private func change(
        _ archives: [String], on version: String?, _ body: (inout BadRestore) -> Void
    ) throws(FileError) {
        var records = try badRestores()
        for archive in archives {
            let index = records.firstIndex { $0.archive == archive && $0.isOf(version) }
            var record = index.map { records.remove(at: $0) } ?? BadRestore(archive: archive, bundleVersion: version)
            body(&record)
            records.append(record)
        }
        try write(records)
    }

    private func badRestores() throws(FileError) -> [BadRestore] {
        try readFile("crashed").flatMap { try? ChecksummedFile.decode([BadRestore].self, $0).header } ?? []
    }

    private func write(_ records: [BadRestore]) throws(FileError) {
        try files.write(ChecksummedFile.encode(Array(records.suffix(Self.recordLimit)), []), to: folder + "/crashed")
    }
}
