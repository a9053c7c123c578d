import Dispatch
import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperFiles
package import PlacekeeperService
import PlacekeeperSystem

/// An erasure log in a file. Each entry is one line: `1`, the time in milliseconds since 1970, and the digest as 64
/// hexadecimal digits, separated by spaces. Several processes may use the file at the same time.
///
/// A line without a line feed at the end of the file is from an `append` that did not return, for example because of a
/// power loss. Such a line is ignored, and the next `append` removes it.
///
/// Other users must not write the log of a data directory. If they may, its permissions are changed to 0600.
package final class ErasureFile: ErasureLog {
    package static let fileName = "erasures.log"

    private let path: String
    /// Whether the log is of a data directory, and not a copy that someone gives.
    private let isOwn: Bool
    /// Reads and writes the file. These calls block, so they do not run on the threads of Swift's tasks.
    private let queue = DispatchQueue(label: "placekeeper.erasures")
    /// The times of the erasures for `latest(of:)`, and the part of the file that is read for them.
    private let known = LockBox(Known())

    private struct Known {
        var times: [Digest: Timestamp] = [:]
        /// The position after the last line that was read, and the bytes before it.
        var position = 0
        var tail: [UInt8] = []
    }

    /// Creates an erasure log that is only read.
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

    /// Reads only the part of the file that is new since the last call, or the whole file if another one has taken its
    /// place.
    package func latest(of digests: [Digest]) async throws(StoreError) -> Timestamp? {
        try await perform { [path, isOwn, known] () throws(StoreError) in
            // If this fails, the next call reads the whole file.
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
            // The caller does not begin the erasure, so the next start must not finish it.
            _ = Result { () throws(StoreError) in try file.truncate(to: end) }
            throw error
        }
    }

    /// Returns the number of bytes up to and including the last line feed.
    private static func endOfLines(in file: borrowing File) throws(StoreError) -> Int {
        let size = try file.size()
        let start = max(0, size - ErasureEntry.longestLine)
        let tail = try file.read(at: start, count: size - start)
        if let last = tail.lastIndex(of: 0x0A) { return start + last + 1 }
        guard start == 0 else { throw damaged(line: nil) }
        return 0
    }

    /// Opens and locks the file for reading. Nil if there is none.
    private static func opened(_ path: String, isOwn: Bool) throws(StoreError) -> File? {
        guard try usingPaths({ () throws(PathFault) in try FileStatus.of(path) }) != nil else { return nil }
        let file = try File(path, isOwn ? O_RDONLY | O_NOFOLLOW : O_RDONLY)
        if isOwn { try file.keepToOwner() }
        try file.lock(LOCK_SH)
        return file
    }

    /// Calls `body` with each entry from a position of the file on. Returns the position behind the last entry.
    private static func read(
        _ file: borrowing File, from start: Int, _ body: (ErasureEntry) -> Void
    ) throws(StoreError) -> Int {
        var rest: [UInt8] = []
        var position = start
        var count = 0
        while true {
            let piece = try file.read(at: position, count: 1 << 16)
            // A last line without a line feed stays in `rest`.
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
    /// The number of bytes of the longest possible line, with its line feed.
    fileprivate static let longestLine = 2 + 20 + 1 + 64 + 1

    fileprivate var line: String {
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = digest.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "1 \(time.milliseconds) \(String(decoding: hexadecimal, as: UTF8.self))\n"
    }

    /// Parses a line without its line feed.
    fileprivate init?(line: ArraySlice<UInt8>) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("1".utf8), parts[2].count == 64,
            let milliseconds = Int64(String(decoding: parts[1], as: UTF8.self)),
            // An entry is at least a millisecond later than the creation of its user.
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
    /// The value of this lower-case hexadecimal digit. Nil for any other byte.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
