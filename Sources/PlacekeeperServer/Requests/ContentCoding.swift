import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// The size threshold for compressing content, and the entity tags of content.
enum ContentCoding {
    /// The minimum size of content to compress, in bytes. Compressing smaller content saves no network packet.
    static let threshold = 1024
    /// The maximum size of content to compress, in bytes. Compressing larger content in one step would block a
    /// thread for more than a few milliseconds.
    static let limit = 512 << 10

    /// Returns a strong entity tag for the content. The compressed form is a different representation, so its tag
    /// differs (RFC 9110 section 8.8.3.3).
    static func entityTag(of bytes: [UInt8], _ hashing: any Hashing, coded: Bool) -> [UInt8] {
        entityTag(of: hashing.sha256(bytes), coded: coded)
    }

    static func entityTag(of digest: Digest, coded: Bool = false) -> [UInt8] {
        var tag: [UInt8] = [0x22]
        tag.reserveCapacity(40)
        tag.append(hexadecimal: digest.words.0, digest.words.1)
        if coded { tag.append(contentsOf: "-gzip".utf8) }
        tag.append(0x22)
        return tag
    }
}
