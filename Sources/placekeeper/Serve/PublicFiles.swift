import PlacekeeperCompression
import PlacekeeperSystem
import PlacekeeperServer
import PlacekeeperSQLite

/// Reads the files of a directory once, when the service starts, so that requests don't open files.
enum PublicFiles {
    /// The maximum size of all files together, in bytes.
    private static let byteLimit = 32 << 20
    private static let depthLimit = 8
    /// Compresses each file once, so its best level is worth the time. The embedded files have the same level.
    private static let compressor = Compressor(.gzip, level: 9)

    /// Returns the regular files of a directory and its subdirectories, sorted by name. Reads at most `depthLimit`
    /// levels of directories. Skips files and directories whose names start with a dot.
    static func read(_ directory: String) throws(CommandFailure) -> [Assets.File] {
        var files: [Assets.File] = []
        try read(directory, prefix: "", depth: 0, into: &files)
        return files.sorted { $0.name < $1.name }
    }

    private static func read(
        _ directory: String, prefix: String, depth: Int, into files: inout [Assets.File]
    ) throws(CommandFailure) {
        guard depth < depthLimit else { return }
        guard !Files.exists(directory + "/" + SQLiteStore.fileName) else {
            throw CommandFailure(
                .configuration,
                "\(quoted(directory)) is a data directory, and everyone could read its files; give another")
        }
        guard let stream = opendir(directory) else {
            throw CommandFailure(
                .configuration, "cannot read the directory \(quoted(directory)): \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = directory + "/" + name
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try read(path, prefix: prefix + name + "/", depth: depth + 1, into: &files)
            case S_IFREG:
                let left = byteLimit - files.reduce(0) { $0 + $1.bytes.count }
                let bytes: [UInt8]
                do throws(CommandFailure) {
                    bytes = try Files.read(path, limit: left)
                } catch {
                    throw CommandFailure(
                        .configuration,
                        "\(error.message); the files of --public together are limited to \(byteLimit) bytes")
                }
                files.append(Assets.File(name: prefix + name, bytes: bytes, gzip: compressor.deflate(bytes)))
            default: continue
            }
        }
    }
}
