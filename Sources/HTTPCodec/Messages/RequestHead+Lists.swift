extension RequestHead {
    /// The members of a list-valued field, over all its lines (RFC 9110 section 5.6.1).
    package func members(of name: FieldName) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        forEachMember(of: name) { member, _ in members.append(bytes[member]) }
        return members
    }

    /// The last member of a list-valued field: of a list that several wrote one after another, what the nearest wrote. nil
    /// when there is no such field, empty when its last line holds nothing.
    ///
    /// - Parameter name: known only at run time, of letters, digits and `-`.
    package func lastMember(of name: String) -> ArraySlice<UInt8>? {
        let isSought = { (field: Field) in
            bytes[field.name].elementsEqual(name.utf8) { $0 | 0x20 == $1 | 0x20 }
        }
        guard let field = fields.last(where: isSought) else { return nil }
        return bytes.withUnsafeBytes { Array(ListMembers(field.value, of: $0)) }.last.map { bytes[$0] } ?? []
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
