/// A parsed and valid request head (RFC 9112 sections 2 to 6).
///
/// It owns one copy of its bytes. The fields and the target are ranges of this copy, so access doesn't allocate.
package struct RequestHead: Sendable {
    /// The framing, which determines the body's length (RFC 9112 section 6).
    package enum Framing: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
    }

    /// A field line, as ranges of `bytes`. The value excludes surrounding white space.
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
    /// The minor version of HTTP/1.x: 0 or 1.
    package var minorVersion: UInt8
    /// The path of the target, still percent-encoded. An absolute-form target also has a path.
    package var path: Range<Int>
    /// The query: the part of the target after the first `?`. Nil if there is no `?`.
    package var query: Range<Int>?
    /// The host and port, from an absolute-form target or else from the Host field. Nil for an HTTP/1.0 request with
    /// neither.
    package var authority: Range<Int>?
    package var fields: [Field]
    package var framing: Framing
    /// Whether the connection may carry another request after this one (RFC 9112 section 9.3).
    package var keepsAlive: Bool
    /// Whether the client waits for a 100 response before it sends the body (RFC 9110 section 10.1.1).
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

    /// The value of the first field with this name. Nil if there is none.
    package subscript(name: FieldName) -> ArraySlice<UInt8>? {
        for field in fields where equalsIgnoringCase(field.name, name) { return bytes[field.value] }
        return nil
    }

    /// Returns the values of all fields with this name, in order.
    package func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        fields.filter { equalsIgnoringCase($0.name, name) }.map { bytes[$0.value] }
    }

    /// Whether a range equals a field name, ignoring case. The names in `FieldName` consist of letters and `-`. Setting
    /// the case bit (0x20) turns no other token byte into one of these.
    @inline(__always)
    func equalsIgnoringCase(_ range: Range<Int>, _ name: FieldName) -> Bool {
        guard range.count == name.spelling.utf8CodeUnitCount else { return false }
        let spelling = name.spelling.utf8Start
        return bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<range.count
            where bytes[range.lowerBound + index] | 0x20 != spelling[index] | 0x20 { return false }
            return true
        }
    }
}
