// Restores that crashed this app, in any scene.
extension ClientCore {
    /// A launch that crashed during a restore.
    private struct Crash: Codable {
        var launch: String
        var bundleVersion: String?
        var at: ClockReading
    }

    /// The number of crashed launches after which this version of the app only offers states.
    private static let crashLimit = 2
    /// The seconds for which a crash counts.
    private static let crashAge: Double = 7 * 86_400

    /// Records that an earlier launch crashed during a restore. The restores of several scenes in one launch count
    /// once. The file belongs to the installation, so a sign-in does not hide it.
    func noteCrash(of outcome: QueuedOutcome, at now: ClockReading) throws(FileError) {
        let earlier = try crashes()
        let id = outcome.launch
        guard !earlier.contains(where: { $0.launch == id }) else { return }
        let crash = Crash(launch: id, bundleVersion: outcome.bundleVersion, at: now)
        try files.write(ChecksummedFile.encode(Array(earlier.suffix(15)) + [crash], []), to: "crashes")
    }

    /// Returns whether a version of the app crashed in several launches. If so, it restores nothing without asking.
    /// Without this limit, a version that cannot restore a screen could crash once for every archive.
    func hasCrashedOften(_ bundleVersion: String?, at now: ClockReading) -> Bool {
        // An unreadable file must not make the launch fail.
        let crashes = ((try? crashes()) ?? []).filter {
            $0.bundleVersion == bundleVersion && $0.at.age(at: now) < Self.crashAge
        }
        return crashes.count >= Self.crashLimit
    }

    private func crashes() throws(FileError) -> [Crash] {
        let bytes: [UInt8]?
        do { bytes = try files.read("crashes", limit: 16 << 10) } catch .tooLarge { bytes = nil }
        return bytes.flatMap { try? ChecksummedFile.decode([Crash].self, $0).header } ?? []
    }
}
