extension BinaryPropertyList {
    /// Where the parts of a file are.
    struct Geometry: Sendable {
        var objectCount: UInt32
        var top: UInt32
        var tableOffset: Int
        var offsetWidth: Int
        var referenceWidth: Int
        /// The greatest UID in the file. If it is in range, so are all other UIDs of a keyed archive.
        var greatestUID: UInt64 = 0
        /// The offset of the greatest UID, or 0 if there are no UIDs. The header is at offset 0, so no object can be
        /// there.
        var greatestUIDOffset = 0
        var hasUIDs: Bool { greatestUIDOffset != 0 }

        /// Where the object area begins, after `bplist00`.
        static let headerSize = 8
        static let trailerSize = 32

        /// Reads and validates the header and the trailer.
        init(of file: UnsafeRawBufferPointer, limits: Limits) throws(ArchiveError) {
            guard file.count <= limits.maximumByteCount else {
                throw ArchiveError(.tooLarge, at: limits.maximumByteCount)
            }
            guard !Self.looksLikeXML(file) else { throw ArchiveError(.xml, at: 0) }
            // A valid file contains at least a header and a trailer.
            guard file.count >= Self.headerSize + Self.trailerSize else {
                throw ArchiveError(.tooShort, at: file.count)
            }
            guard file.starts(with: "bplist00".utf8) else { throw ArchiveError(.notBinary, at: 0) }

            let trailer = file.count - Self.trailerSize
            offsetWidth = Int(file[trailer + 6])
            referenceWidth = Int(file[trailer + 7])
            guard 1...8 ~= offsetWidth else { throw ArchiveError(.offsetWidth, at: trailer + 6) }
            guard 1...8 ~= referenceWidth else { throw ArchiveError(.referenceWidth, at: trailer + 7) }
            let count = Self.word(at: trailer + 8, of: file)
            guard count > 0 else { throw ArchiveError(.noObjects, at: trailer + 8) }
            let table = Self.word(at: trailer + 24, of: file)
            let (size, overflows) = count.multipliedReportingOverflow(by: UInt64(offsetWidth))
            guard !overflows, table >= UInt64(Self.headerSize), table <= UInt64(trailer),
                UInt64(trailer) - table == size
            else { throw ArchiveError(.offsetTable, at: trailer + 24) }
            let top = Self.word(at: trailer + 16, of: file)
            guard top < count else { throw ArchiveError(.topObject, at: trailer + 16) }
            objectCount = UInt32(count)
            self.top = UInt32(top)
            tableOffset = Int(table)
        }

        private static func word(at position: Int, of file: UnsafeRawBufferPointer) -> UInt64 {
            UInt64(bigEndian: file.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }

        private static func looksLikeXML(_ file: UnsafeRawBufferPointer) -> Bool {
            let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = file.starts(with: byteOrderMark) ? file.dropFirst(byteOrderMark.count) : file[...]
            return text.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == 0x3C
        }
    }
}
