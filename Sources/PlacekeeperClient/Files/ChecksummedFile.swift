import Foundation

/// The format of the client's files: a JSON header and a body of bytes, with their lengths and a checksum.
///
/// ```
/// "placekeeper 1\n"   the magic, with the version of the format
/// 4 bytes             the header's length, big-endian
/// 4 bytes             the content's length, big-endian
/// 8 bytes             FNV-1a of the header and the content, big-endian
/// the header, the content
/// ```
/// The checksum detects files that were torn by a failing disk. It does not protect against attackers.
enum ChecksummedFile {
    /// Why a file cannot be used.
    enum Fault: Error, Sendable, Equatable {
        /// The file is torn, or not a file of the client.
        case damaged
        /// The file is from a newer version of the client.
        case newer
    }

    private static let name = Array("placekeeper ".utf8)
    private static let magic = Array("placekeeper 1\n".utf8)
    private static let headLength = magic.count + 16

    /// Returns the bytes of a file.
    static func encode(_ header: any Encodable, _ content: [UInt8]) -> [UInt8] {
        // The client's headers consist of strings, numbers and flags, so encoding them cannot fail.
        join((try? [UInt8](JSONEncoder.sorted.encode(header))) ?? [], content)
    }

    private static func join(_ header: [UInt8], _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headLength + header.count + content.count)
        bytes += magic
        append(UInt32(truncatingIfNeeded: header.count), to: &bytes)
        append(UInt32(truncatingIfNeeded: content.count), to: &bytes)
        append(checksum(header, content), to: &bytes)
        bytes += header
        bytes += content
        return bytes
    }

    /// Reads a file's header and content.
    static func decode<Header: Decodable>(
        _ type: Header.Type, _ bytes: [UInt8]
    ) throws(Fault) -> (header: Header, content: [UInt8]) {
        let (header, content) = try parts(of: bytes)
        do { return (try JSONDecoder().decode(type, from: Data(header)), content) } catch { throw .damaged }
    }

    private static func parts(of bytes: [UInt8]) throws(Fault) -> (header: [UInt8], content: [UInt8]) {
        guard bytes.starts(with: magic) else { throw isNewer(bytes) ? .newer : .damaged }
        guard bytes.count >= headLength else { throw .damaged }
        let headerLength = Int(number(bytes[magic.count..<magic.count + 4]))
        let contentLength = Int(number(bytes[magic.count + 4..<magic.count + 8]))
        let expected = number(bytes[magic.count + 8..<headLength])
        guard bytes.count - headLength == headerLength + contentLength else { throw .damaged }
        let header = Array(bytes[headLength..<headLength + headerLength])
        let content = Array(bytes[(headLength + headerLength)...])
        guard checksum(header, content) == expected else { throw .damaged }
        return (header, content)
    }

    private static func isNewer(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: name) else { return false }
        let version = bytes[name.count...].prefix { $0 != 0x0A }
        guard (1...9).contains(version.count), bytes.count > name.count + version.count else { return false }
        return Int(String(decoding: version, as: UTF8.self)).map { $0 > 1 } ?? false
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// 64-bit FNV-1a.
    private static func checksum(_ parts: [UInt8]...) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            part.withUnsafeBufferPointer { part in
                for byte in part { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            }
        }
        return hash
    }
}

extension JSONEncoder {
    /// An encoder with the same output for equal values.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
