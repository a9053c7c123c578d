/// An object that a version of the app leaves out of restores, because a process ended while it restored the object.
private struct LeftOutObject: Codable {
    /// The crash, with the object's path.
    var crash: QueuedOutcome
    var isReported = false
}

// The object that a process is restoring, and the objects that are left out.
extension SceneFolder {
    /// Records the object whose code runs in a process. Nil between objects.
    func noteRestoring(_ object: String?, in launch: String) throws(FileError) {
        // The file must survive a crash of the app, which an unsynced file does. A launch writes it for each object.
        // What follows the second zero is of an earlier object.
        try files.overwrite(folder + "/object", with: Array((launch + "\0" + (object ?? "") + "\0").utf8))
    }

    /// Returns the object that a process was restoring when it ended.
    func restoredObject(in launch: String) throws(FileError) -> String? {
        let parts = try readFile("object").map { String(decoding: $0, as: UTF8.self) }?
            .split(separator: "\0", maxSplits: 2, omittingEmptySubsequences: false)
        guard let parts, parts.count == 3, parts[0] == launch, !parts[1].isEmpty else { return nil }
        return String(parts[1])
    }

    /// Leaves an object out of the restores of a version. Returns false if the version leaves two objects out already: then
    /// the fault is probably elsewhere.
    func leaveOut(_ crash: QueuedOutcome) throws(FileError) -> Bool {
        let known = try leftOutObjects(of: crash.bundleVersion)
        guard known.count < 2 else { return false }
        try write(known + [LeftOutObject(crash: crash)])
        return true
    }

    /// Returns the paths of the objects that a version leaves out.
    func leftOut(of version: String?) throws(FileError) -> [String] {
        try leftOutObjects(of: version).compactMap(\.crash.path)
    }

    /// Returns the crashes of a version that are not reported yet, and takes them for reported.
    func takeCrashes(of version: String?) throws(FileError) -> [QueuedOutcome] {
        let known = try leftOutObjects(of: version)
        let crashes = known.filter { !$0.isReported }.map(\.crash)
        if !crashes.isEmpty { try write(known.map { LeftOutObject(crash: $0.crash, isReported: true) }) }
        return crashes
    }

    private func leftOutObjects(of version: String?) throws(FileError) -> [LeftOutObject] {
        let known = try readFile("left-out").flatMap { try? ChecksummedFile.decode([LeftOutObject].self, $0).header }
        return (known ?? []).filter { $0.crash.bundleVersion == version }
    }

    /// Another version restores all objects again.
    private func write(_ objects: [LeftOutObject]) throws(FileError) {
        try files.write(ChecksummedFile.encode(objects, []), to: folder + "/left-out")
    }
}
