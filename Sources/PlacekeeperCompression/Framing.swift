/// The format of the header and trailer around deflated bytes.
package enum Framing: Sendable, Hashable {
    /// RFC 1950: a header of two bytes and an Adler-32 checksum. Used for bytes in the store.
    case zlib
    /// RFC 1952: the content coding `gzip` (RFC 9110 section 8.4.1.3).
    case gzip

    /// The value of zlib's parameter `windowBits`: 15 for the full window of 32 KiB, and 16 more for gzip.
    var windowBits: Int32 { self == .zlib ? 15 : 15 + 16 }
}
