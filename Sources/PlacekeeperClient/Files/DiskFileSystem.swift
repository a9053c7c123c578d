package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The files under a folder on disk. Takes no locks: the system ends a process that is suspended while it holds a lock
/// in a folder of an app group.
///
/// On Apple's systems, the files are readable after the device's first unlock, and excluded from backups. The code for
/// these systems has not run on a device.
package final class DiskFileSystem: FileSystem {
    private let root: String

    package init(root: URL) { self.root = root.path }

    package func names(in folder: String) throws(FileError) -> [String] {
        guard let directory = opendir(root + "/" + folder) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw FileError(errno) }
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static let temporarySuffix = ".new"

    package func removeTemporaryFiles(in folder: String) throws(FileError) {
        for name in try names(in: folder) where name.hasSuffix(Self.temporarySuffix) {
            let path = root + "/" + folder + "/" + name
            var status = stat()
            // A scene's folder may end in the same suffix.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            #if canImport(Darwin)
                let changed = status.st_mtimespec.tv_sec
            #else
                let changed = status.st_mtim.tv_sec
            #endif
            if time(nil) - changed > 86_400 { unlink(path) }
        }
    }

    package func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]? {
        let file = open(root + "/" + path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw FileError(errno) }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileError(errno) }
        guard status.st_size <= limit else { throw .tooLarge }
        let size = Int(status.st_size)
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let received = Self.system { posixRead(file, buffer.baseAddress?.advanced(by: count), size - count) }
                guard received >= 0 else {
                    failure = FileError(errno)
                    return
                }
                guard received > 0 else { return }
                count += received
            }
        }
        if let failure { throw failure }
        return bytes
    }

    package func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try replace(path, with: bytes, isSynced: true)
        try syncFolder(of: path)
    }

    package func writeUnsynced(_ bytes: [UInt8], to path: String) throws(FileError) {
        try replace(path, with: bytes, isSynced: false)
    }

    package func overwrite(_ path: String, with bytes: [UInt8]) throws(FileError) {
        // Some file systems flush a file that was truncated or replaced, which takes ten times as long.
        try write(bytes, toFile: root + "/" + path, isSynced: false, flags: 0)
    }

    package func rename(_ path: String, to new: String) throws(FileError) -> Bool {
        let (old, target) = (root + "/" + path, root + "/" + new)
        if posixRename(old, target) == 0 { return true }
        guard errno == ENOENT else { throw FileError(errno) }
        // Either the file or the new folder is missing.
        guard access(old, F_OK) == 0 else { return false }
        try makeFolder(of: new)
        if posixRename(old, target) == 0 { return true }
        guard errno == ENOENT else { throw FileError(errno) }
        return false
    }

    package func remove(_ path: String) throws(FileError) {
        if unlink(root + "/" + path) == 0 || errno == ENOENT || errno == ENOTDIR { return }
        do {
            try FileManager.default.removeItem(atPath: root + "/" + path)
        } catch CocoaError.fileNoSuchFile {
            return
        } catch CocoaError.fileWriteNoPermission {
            throw .locked
        } catch {
            throw .system(EIO)
        }
    }

    private func replace(_ path: String, with bytes: [UInt8], isSynced: Bool) throws(FileError) {
        let target = root + "/" + path
        let temporary = "\(target).\(getpid())\(Self.temporarySuffix)"
        do throws(FileError) {
            do throws(FileError) {
                try write(bytes, toFile: temporary, isSynced: isSynced)
            } catch .system(ENOENT) {
                try makeFolder(of: path)
                try write(bytes, toFile: temporary, isSynced: isSynced)
            }
            guard posixRename(temporary, target) == 0 else { throw FileError(errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func write(
        _ bytes: [UInt8], toFile path: String, isSynced: Bool, flags: Int32 = O_TRUNC
    ) throws(FileError) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard file >= 0 else { throw FileError(errno) }
        defer { close(file) }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // Class C: readable after the first unlock. People often leave an app with the lock button, and files of
            // the strictest class become unreadable soon after.
            _ = fcntl(file, F_SETPROTECTIONCLASS, 3)
        #endif
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Self.system { posixWrite(file, bytes.baseAddress?.advanced(by: written), bytes.count - written) }
            }
            guard count > 0 else { throw FileError(count == 0 ? EIO : errno) }
            written += count
        }
        guard !isSynced || Self.system({ fsync(file) }) == 0 else { throw FileError(errno) }
    }

    /// Makes a rename in the folder durable. Does nothing if the file system cannot sync folders.
    private func syncFolder(of path: String) throws(FileError) {
        let folder = open(root + "/" + parent(of: path), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw FileError(errno) }
        defer { close(folder) }
        guard Self.system({ fsync(folder) }) == 0 || errno == EINVAL || errno == EROFS else { throw FileError(errno) }
    }

    private func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    private func makeFolder(of path: String) throws(FileError) {
        let folder = parent(of: path)
        do {
            try FileManager.default.createDirectory(
                atPath: root + "/" + folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            #if canImport(Darwin)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                var url = URL(fileURLWithPath: root)
                try? url.setResourceValues(values)
            #endif
        } catch CocoaError.fileWriteOutOfSpace {
            throw .noSpace
        } catch CocoaError.fileWriteNoPermission {
            throw .locked
        } catch {
            throw .system(EIO)
        }
    }

    /// Retries a system call that a signal interrupted.
    private static func system<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

extension FileError {
    /// Creates the error for an `errno`. On a locked device, protected files fail with `EPERM` or `EACCES`.
    fileprivate init(_ number: Int32) {
        switch number {
        case EPERM, EACCES: self = .locked
        case ENOSPC, EDQUOT: self = .noSpace
        default: self = .system(number)
        }
    }
}

// The methods of `DiskFileSystem` have the same names as these system calls.
private func posixRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
private func posixRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, buffer, count)
}
private func posixWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int { write(file, buffer, count) }
