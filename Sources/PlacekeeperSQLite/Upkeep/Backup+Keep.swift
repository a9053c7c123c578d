package import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSystem

extension Backup {
    /// Returns the name of a backup in a folder of backups. Names sort by time.
    ///
    /// - Parameter time: the time in UTC, such as `20261130T034459Z`.
    package static func name(at time: String) -> String { prefix + time + suffix }

    private static let prefix = "placekeeper-"
    private static let suffix = ".sqlite"

    /// Deletes older backups in the folder of the finished backup `path`, until `count` are left. Deletes only regular
    /// files of this process's user that are backups and have a name of `name(at:)`. Returns the deleted names.
    package static func keepNewest(_ count: Int, with path: String) throws(StoreError) -> [String] {
        let folder = FileNames.directory(of: path)
        let own = path.split(separator: "/").last.map(String.init) ?? path
        var kept = 1
        var deleted: [String] = []
        for name in try File.names(in: folder).filter(isName).sorted(by: >) where name != own {
            let file = folder + "/" + name
            guard let status = try? WritePath.Replaceable.backup.file(at: file), status.owner == geteuid() else {
                continue
            }
            kept += 1
            guard kept > count else { continue }
            guard unlink(file) == 0 else { throw StoreError(failed: "unlink", errno) }
            deleted.append(name)
        }
        return deleted
    }

    /// Deletes what interrupted backups with a name of `name(at:)` have left. No later backup would reuse these files,
    /// because its name has another time.
    package static func deleteInterrupted(in folder: String) throws(StoreError) {
        func paths(_ end: String) throws(StoreError) -> [String] {
            try File.names(in: folder).filter { $0.hasSuffix(end) && isName($0.dropLast(end.count)) }
                .map { folder + "/" + $0 }
        }
        for path in try paths(".partial") {
            let status = try? WritePath.Replaceable.unfinishedBackup.file(at: path)
            if let status, status.owner == geteuid() { PartialFile.removeLeftover(path) }
        }
        for path in try paths(".partial-journal") where access(String(path.dropLast("-journal".count)), F_OK) != 0 {
            RegularFile.remove(path)
        }
    }

    private static func isName(_ name: some StringProtocol) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let time = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return time.count == 16
            && time.enumerated().allSatisfy { index, byte in
                switch index {
                case 8: byte == UInt8(ascii: "T")
                case 15: byte == UInt8(ascii: "Z")
                default: (0x30...0x39).contains(byte)
                }
            }
    }
}
