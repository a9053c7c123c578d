/// What stands around deflated bytes.
package enum Framing: Sendable, Hashable {
    /// RFC 1950: two bytes before, an Adler-32 behind. For what is kept.
    case zlib
    /// RFC 1952: the content coding `gzip` (RFC 9110 section 8.4.1.3).
    case gzip

    /// zlib's `windowBits`: the full window of 32 KiB; 16 more ask for gzip.
    var windowBits: Int32 { self == .zlib ? 15 : 15 + 16 }
}
