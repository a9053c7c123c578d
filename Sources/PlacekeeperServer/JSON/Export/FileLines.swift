import PlacekeeperService

/// Reads the lines of a file in bounded memory.
struct FileLines {
    private let limit: Int
    private let rewind: () throws(ServiceError) -> Void
    private let read: () throws(ServiceError) -> [UInt8]
    /// The bytes that have been read. The next line starts at `position`.
    private var bytes: [UInt8] = []
    private var position = 0
    private var isWhole = false
    /// The number of the last returned line, counting from 1.
    private(set) var number = 0

    /// - Parameter limit: the maximum length of a line in bytes, without its line feed.
    init(
        limit: Int, rewind: @escaping () throws(ServiceError) -> Void,
        read: @escaping () throws(ServiceError) -> [UInt8]
    ) {
        self.limit = limit
        self.rewind = rewind
        self.read = read
    }

    /// Starts over at the first line.
    mutating func begin() throws(ServiceError) {
        try rewind()
        bytes = []
        position = 0
        isWhole = false
        number = 0
    }

    /// Returns the next line without its line feed. Nil at the end. Throws if the last line has no line feed.
    mutating func next() throws(ServiceError) -> [UInt8]? {
        var searched = position
        while true {
            if let end = bytes[searched...].firstIndex(of: 0x0A) {
                guard end - position <= limit else { throw tooLong }
                number += 1
                defer { position = end + 1 }
                return Array(bytes[position..<end])
            }
            guard bytes.count - position <= limit else { throw tooLong }
            guard !isWhole else {
                guard position < bytes.count else { return nil }
                throw ServiceError(.importInvalid, "The file is incomplete: its last line has no line feed.")
            }
            bytes.removeFirst(position)
            position = 0
            searched = bytes.count
            let piece = try read()
            isWhole = piece.isEmpty
            bytes += piece
        }
    }

    private var tooLong: ServiceError {
        ServiceError(.importInvalid, "Line \(number + 1) of the file exceeds the limit of \(limit) bytes.")
    }
}
