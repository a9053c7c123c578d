/// A request's head, read and found sound (RFC 9112 sections 2 to 6).
///
/// It owns one copy of the head's bytes; fields and target are ranges of it, so that reading one allocates nothing.
package struct RequestHead: Sendable {
    /// How the length of the body is known (RFC 9112 section 6).
    package enum Framing: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
    }

    /// A field line: ranges of `bytes`, the value without the white space around it.
    package struct Field: Sendable, Hashable {
        package var name: Range<Int>
        package var value: Range<Int>
        package init(name: Range<Int>, value: Range<Int>) {
            self.name = name
            self.value = value
        }
    }

    package var bytes: [UInt8]
    package var method: Method
    /// 0 or 1, of HTTP/1.x.
    package var minorVersion: UInt8
    /// The target's path as received, percent-encoding left as it is; of an absolute-form target its path.
    package var path: Range<Int>
    /// What stands after the first `?` of the target; nil when there is no `?`.
    package var query: Range<Int>?
    /// The host and port that the request is for: those of an absolute-form target, else the Host field's; nil when an
    /// HTTP/1.0 request names none.
    package var authority: Range<Int>?
    package var fields: [Field]
    package var framing: Framing
    /// Whether the connection may carry another request after this one (RFC 9112 section 9.3).
    package var keepsAlive: Bool
    /// Whether the client waits for a 100 (RFC 9110 section 10.1.1).
    package var expectsContinue: Bool

    package init(
        bytes: [UInt8], method: Method, minorVersion: UInt8, path: Range<Int>, query: Range<Int>?,
        authority: Range<Int>? = nil, fields: [Field], framing: Framing, keepsAlive: Bool, expectsContinue: Bool
    ) {
        self.bytes = bytes
        self.method = method
        self.minorVersion = minorVersion
        self.path = path
        self.query = query
        self.authority = authority
        self.fields = fields
        self.framing = framing
        self.keepsAlive = keepsAlive
        self.expectsContinue = expectsContinue
    }

    /// The value of the first field of this name; nil when there is none.
    package subscript(name: FieldName) -> ArraySlice<UInt8>? {
        for field in fields where spells(field.name, name) { return bytes[field.value] }
        return nil
    }

    /// The values of all fields of this name, in the order they came in.
    package func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        fields.filter { spells($0.name, name) }.map { bytes[$0.value] }
    }

    /// Whether a range spells a field name, in any case. The names that we know are of letters and `-`:
    /// no other byte of a token turns into one of them with the bit of the case set.
    @inline(__always)
    func spells(_ range: Range<Int>, _ name: FieldName) -> Bool {
        guard range.count == name.spelling.utf8CodeUnitCount else { return false }
        let spelling = name.spelling.utf8Start
        return bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<range.count
            where bytes[range.lowerBound + index] | 0x20 != spelling[index] | 0x20 { return false }
            return true
        }
    }
}
