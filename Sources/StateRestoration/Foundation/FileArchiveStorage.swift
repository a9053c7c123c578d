public import Foundation

/// Keeps state in a folder: `state.plist`, beside it `state.set-aside.plist` and `state.attempts`.
///
/// A file is written whole under another name, synced, and then takes the old one's place. On Apple's systems it is
/// encrypted while the device is locked (seed row 51); that part has not run on a device.
///
/// What the service served becomes the app's state by ``writeArchive(_:)``, before the app is launched.
@MainActor
public final class FileArchiveStorage: ArchiveStorage {
    private let folder: URL

    /// Keeps state in a folder, which is made when something is first kept.
    public init(folder: URL) { self.folder = folder }

    private var archive: URL { folder.appendingPathComponent("state.plist") }
    private var attempts: URL { folder.appendingPathComponent("state.attempts") }
    private var quarantined: URL { folder.appendingPathComponent("state.set-aside.plist") }

    /// The archive's bytes.
    public func readArchive() throws(StorageError) -> [UInt8]? { try read(archive) }

    /// Keeps an archive.
    public func writeArchive(_ bytes: [UInt8]) throws(StorageError) { try write(bytes, to: archive) }

    /// Throws the archive away.
    public func discardArchive() throws(StorageError) { try remove(archive) }

    /// Puts the archive aside.
    public func setArchiveAside() throws(StorageError) {
        // Needs no room, so that a full disk does not keep a bad archive in place.
        guard rename(archive.path, quarantined.path) == 0 || errno == ENOENT else {
            throw .failed("\(archive.path) cannot be put aside.")
        }
    }

    /// Throws everything away. A file that cannot be removed does not keep the others.
    /// - Throws: why the first file could not be removed.
    public func discardEverything() throws(StorageError) {
        var failure: StorageError?
        for file in [archive, quarantined, attempts] {
            for file in [file, new(file)] {
                do { try remove(file) } catch { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
    }

    /// How many launches did not end.
    public func readAttempts() throws(StorageError) -> Int {
        try read(attempts).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Notes how many launches did not end.
    public func writeAttempts(_ count: Int) throws(StorageError) {
        if count == 0 { try remove(attempts) } else { try write([UInt8]("\(count)".utf8), to: attempts) }
    }

    private func read(_ file: URL) throws(StorageError) -> [UInt8]? {
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch CocoaError.fileReadNoPermission {
            // So a protected file answers while the device is locked.
            throw .locked
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The name under which a file is written before it takes the old one's place.
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
        guard rename(new.path, file.path) == 0 else { throw .failed("\(file.path) cannot be replaced.") }
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
