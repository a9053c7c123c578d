public import Foundation

/// Stores state in a folder: the archive as `state.plist`, a quarantined archive as `state.quarantined.plist`, and the
/// count of unfinished launches as `state.attempts`. While an archive is restored, `state.restoring` names the object
/// whose code runs. If a launch ends there, the objects in `state.left-out` are left out by this version of the app.
///
/// Each file is written under a temporary name, synced, and then renamed. On Apple's systems, files are encrypted while
/// the device is locked (seed row 51); this has not been tested on a device.
///
/// To restore an archive from the service, write it with ``writeArchive(_:)`` before you call
/// `RestorableApplication.launch(served:)`.
@MainActor
public final class FileArchiveStorage: ArchiveStorage {
    private let folder: URL
    /// The open file `state.restoring`.
    private var mark: FileHandle?

    /// Creates a storage. The first write creates the folder.
    public init(folder: URL) { self.folder = folder }

    private var archive: URL { folder.appendingPathComponent("state.plist") }
    private var attempts: URL { folder.appendingPathComponent("state.attempts") }
    private var leftOut: URL { folder.appendingPathComponent("state.left-out") }
    private var restoring: URL { folder.appendingPathComponent("state.restoring") }
    private var quarantined: URL { folder.appendingPathComponent("state.quarantined.plist") }

    /// Returns the archive, or `nil` if there is none.
    public func readArchive() throws(StorageError) -> [UInt8]? { try read(archive) }

    /// Replaces the archive.
    public func writeArchive(_ bytes: [UInt8]) throws(StorageError) { try write(bytes, to: archive) }

    /// Discards the archive.
    public func discardArchive() throws(StorageError) { try remove(archive) }

    /// Quarantines the archive.
    public func quarantineArchive() throws(StorageError) {
        // Renaming needs no disk space, so this works even if the disk is full.
        guard rename(archive.path, quarantined.path) == 0 || errno == ENOENT else {
            throw .failed("\(archive.path) cannot be renamed to \(quarantined.lastPathComponent).")
        }
    }

    /// Discards the archive, the quarantined archive, the count of unfinished launches, and temporary files. A file
    /// that cannot be removed does not stop the others from being removed.
    /// - Throws: The error for the first file that could not be removed.
    public func discardEverything() throws(StorageError) {
        var failure: StorageError?
        for file in [archive, quarantined, attempts, restoring, leftOut] {
            for file in [file, new(file)] {
                do { try remove(file) } catch { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
    }

    /// Returns how many launches did not finish restoring the archive.
    public func readAttempts() throws(StorageError) -> Int {
        try read(attempts).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Stores how many launches did not finish restoring the archive.
    public func writeAttempts(_ count: Int) throws(StorageError) {
        guard count == 0 else { return try write([UInt8]("\(count)".utf8), to: attempts) }
        // First the object: without the count, it would be left out of the next archive.
        mark = nil
        try remove(restoring)
        try remove(attempts)
    }

    private func read(_ file: URL) throws(StorageError) -> [UInt8]? {
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch CocoaError.fileReadNoPermission {
            // The error for reading a protected file while the device is locked.
            throw .locked
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Returns the temporary name of a file while it is being written.
    private func new(_ file: URL) -> URL { file.appendingPathExtension("new") }

    private func write(_ bytes: [UInt8], to file: URL) throws(StorageError) {
        let new = new(file)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #if canImport(Darwin)
                try Data(bytes).write(to: new, options: .completeFileProtection)
            #else
                try Data(bytes).write(to: new)
            #endif
            let handle = try FileHandle(forUpdating: new)
            try handle.synchronize()
            try handle.close()
        } catch CocoaError.fileWriteNoPermission {
            throw .locked
        } catch {
            throw .failed("\(error)")
        }
        guard rename(new.path, file.path) == 0 else {
            throw .failed("\(file.path) cannot be replaced by \(new.lastPathComponent).")
        }
    }

    private func remove(_ file: URL) throws(StorageError) {
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            return
        } catch {
            throw .failed("\(error)")
        }
    }
}

extension FileArchiveStorage: ObjectWatching {
    /// Returns the objects that a version leaves out, with the one whose code ended the last launch.
    package func readLeftOut(of version: String?) -> LeftOutObjects {
        let first = version ?? ""
        var lines = text(of: leftOut)
        if lines.first != first { lines = [first] }
        let ended = text(of: restoring).first.flatMap { $0.isEmpty ? nil : $0 }
        try? remove(restoring)
        var objects = LeftOutObjects(paths: Set(lines.dropFirst()))
        guard let ended, lines.count < 3, objects.paths.insert(ended).inserted else { return objects }
        objects.isNew = true
        try? write([UInt8]((lines + [ended]).joined(separator: "\0").utf8), to: leftOut)
        return objects
    }

    private func text(of file: URL) -> [String] {
        let bytes = (try? read(file)).flatMap { $0 } ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Records the object whose code runs. The file isn't synced: it has to survive a crash of the process, not a power
    /// failure. It remains open, because each object of a launch writes it.
    package func noteRestoring(_ path: String?) {
        if mark == nil {
            _ = FileManager.default.createFile(atPath: restoring.path, contents: nil)
            mark = try? FileHandle(forWritingTo: restoring)
        }
        // What follows the zero is of an earlier object.
        try? mark?.seek(toOffset: 0)
        try? mark?.write(contentsOf: Data(((path ?? "") + "\0").utf8))
    }
}
