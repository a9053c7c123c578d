extension RequestHead {
    /// The members of a list-valued field, over all its lines (RFC 9110 section 5.6.1).
    package func members(of name: FieldName) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        forEachMember(of: name) { member, _ in members.append(bytes[member]) }
        return members
    }

    /// Calls `body` with each member and the head's bytes; for fields in which a backslash escapes inside quotes.
    func forEachMember(of name: FieldName, _ body: (Range<Int>, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for field in fields where spells(field.name, name) {
                for member in ListMembers(field.value, of: bytes) { body(member, bytes) }
            }
        }
    }
}
