import Dispatch
import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperFiles
package import PlacekeeperService
import PlacekeeperSystem

/// An erasure log in a file. Each entry is a line of three fields, separated by spaces: `1`, the time in milliseconds
/// since 1970, and the digest as 64 hexadecimal digits. Several processes may use the file at the same time.
///
/// If the file doesn't end with a line feed, an `append` was interrupted in its last line, for example by a power loss.
/// That line is ignored, and the next `append` removes it.
///
/// Other users must not be able to write the log of a data directory. If they can, its mode is changed to 0600.
package final class ErasureFile: ErasureLog {
    package static let fileName = "erasures.log"

    private let path: String
    /// Whether the log belongs to a data directory, and isn't a copy supplied by someone.
    private let isOwn: Bool
    /// Reads and writes the file. These calls block, so they stay off the threads of Swift's tasks.
    private let queue = DispatchQueue(label: "placekeeper.erasures")
    /// The erasure times for `latest(of:)`, and how far the file has been read for them.
    private let known = LockBox(Known())

    private struct Known {
        var times: [Digest: Timestamp] = [:]
        /// The position after the last line read, and the last bytes before that position.
        var position = 0
        var tail: [UInt8] = []
    }

    /// Creates a read-only erasure log.
    package init(path: String) { (self.path, isOwn) = (path, false) }

    /// Creates the erasure log of a data directory. The file need not exist yet.
    package init(directory: String) { (path, isOwn) = (directory + "/" + ErasureFile.fileName, true) }

    package func append(_ entries: [ErasureEntry]) async throws(StoreError) {
        guard !entries.isEmpty else { return }
        try await perform { [path] () throws(StoreError) in try ErasureFile.append(entries, to: path) }
    }

    package func entries() async throws(StoreError) -> [ErasureEntry] {
        try await perform { [path, isOwn] () throws(StoreError) in
            var entries: [ErasureEntry] = []
            guard let file = try ErasureFile.opened(path, isOwn: isOwn) else { return [] }
            _ = try ErasureFile.read(file, from: 0) { entries.append($0) }
            return entries
        }
    }

    /// Reads only what was added since the last call, or the whole file if it was replaced.
    package func latest(of digests: [Digest]) async throws(StoreError) -> Timestamp? {
        try await perform { [path, isOwn, known] () throws(StoreError) in
            // If reading fails, the next call reads the whole file.
            var read = known.withLock { known in
                defer { known = Known() }
                return known
            }
            guard let file = try ErasureFile.opened(path, isOwn: isOwn) else { return nil }
            if try file.read(at: read.position - read.tail.count, count: read.tail.count) != read.tail {
                read = Known()
            }
            read.position = try ErasureFile.read(file, from: read.position) { entry in
                read.times[entry.digest] = max(read.times[entry.digest] ?? entry.time, entry.time)
            }
            let count = min(read.position, ErasureEntry.longestLine)
            read.tail = try file.read(at: read.position - count, count: count)
            known.withLock { [read] in $0 = read }
            return digests.compactMap { read.times[$0] }.max()
        }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(StoreError) in try body() })
            }
        }
        return try result.get()
    }

    private static func append(_ entries: [ErasureEntry], to path: String) throws(StoreError) {
        let file = try File.orCreate(path, O_RDWR | O_APPEND, ownedLike: FileNames.directory(of: path))
        try file.keepToOwner()
        try file.lock(LOCK_EX)
        let end = try endOfLines(in: file)
        try file.truncate(to: end)
        do throws(StoreError) {
            try file.write(entries.flatMap { Array($0.line.utf8) })
            try file.sync()
            if end == 0 { try File.syncDirectory(of: path) }
        } catch {
            // The caller won't begin the erasure, so the next start must not finish it.
            _ = Result { () throws(StoreError) in try file.truncate(to: end) }
            throw error
        }
    }

    /// Returns the size of the file up to and including its last line feed.
    private static func endOfLines(in file: borrowing File) throws(StoreError) -> Int {
        let size = try file.size()
        let start = max(0, size - ErasureEntry.longestLine)
        let tail = try file.read(at: start, count: size - start)
        if let last = tail.lastIndex(of: 0x0A) { return start + last + 1 }
        guard start == 0 else { throw damaged(line: nil) }
        return 0
    }

    /// Opens and locks the file for reading, or returns `nil` if there is none.
    private static func opened(_ path: String, isOwn: Bool) throws(StoreError) -> File? {
        guard try usingPaths({ () throws(PathFault) in try FileStatus.of(path) }) != nil else { return nil }
        let file = try File(path, isOwn ? O_RDONLY | O_NOFOLLOW : O_RDONLY)
        if isOwn { try file.keepToOwner() }
        try file.lock(LOCK_SH)
        return file
    }

    /// Calls `body` with each entry from a position on. Returns the position after the last entry.
    private static func read(
        _ file: borrowing File, from start: Int, _ body: (ErasureEntry) -> Void
    ) throws(StoreError) -> Int {
        var rest: [UInt8] = []
        var position = start
        var count = 0
        while true {
            let piece = try file.read(at: position, count: 1 << 16)
            // `rest` keeps a last line without a line feed.
            if piece.isEmpty { return position - rest.count }
            position += piece.count
            rest += piece
            var lineStart = 0
            while let end = rest[lineStart...].firstIndex(of: 0x0A) {
                count += 1
                guard let entry = ErasureEntry(line: rest[lineStart..<end]) else {
                    throw damaged(line: start == 0 ? count : nil)
                }
                body(entry)
                lineStart = end + 1
            }
            rest.removeFirst(lineStart)
            guard rest.count <= ErasureEntry.longestLine else { throw damaged(line: start == 0 ? count + 1 : nil) }
        }
    }

    private static func damaged(line: Int?) -> StoreError {
        let place = line.map { "Line \($0)" } ?? "A line at the end"
        return .corrupt("\(place) of the erasure log is damaged: put back a copy of the file.")
    }

}

extension ErasureEntry {
    /// The length of the longest possible line in bytes, including its line feed.
    fileprivate static let longestLine = 2 + 20 + 1 + 64 + 1

    fileprivate var line: String {
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = digest.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "1 \(time.milliseconds) \(String(decoding: hexadecimal, as: UTF8.self))\n"
    }

    /// Parses a line (without its line feed).
    fileprivate init?(line: ArraySlice<UInt8>) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("1".utf8), parts[2].count == 64,
            let milliseconds = Int64(String(decoding: parts[1], as: UTF8.self)),
            // An entry is at least a millisecond later than its user's creation, so it may exceed the range by one.
            (0...StoredNumber.time.range.upperBound + 1).contains(milliseconds)
        else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: parts[2].startIndex, to: parts[2].endIndex, by: 2) {
            guard let high = parts[2][index].hexadecimalValue, let low = parts[2][index + 1].hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard let digest = Digest(bytes: bytes) else { return nil }
        self.init(digest: digest, time: Timestamp(milliseconds: milliseconds))
    }
}

extension UInt8 {
    /// The value of this lowercase hexadecimal digit, or `nil` for any other byte.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
