extension RequestHead {
    /// Returns the members of a list-valued field, from all its lines (RFC 9110 section 5.6.1).
    package func members(of name: FieldName) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        forEachMember(of: name) { member, _ in members.append(bytes[member]) }
        return members
    }

    /// Returns the last member of a list-valued field. If each proxy appends a member, the nearest proxy wrote the
    /// last member. Nil if the field is absent. Empty if the last line of the field is empty.
    ///
    /// - Parameter name: A name that is known only at run time. The name consists of letters, digits and `-`.
    package func lastMember(of name: String) -> ArraySlice<UInt8>? {
        let isSought = { (field: Field) in
            bytes[field.name].elementsEqual(name.utf8) { $0 | 0x20 == $1 | 0x20 }
        }
        guard let field = fields.last(where: isSought) else { return nil }
        return bytes.withUnsafeBytes { Array(ListMembers(field.value, of: $0)) }.last.map { bytes[$0] } ?? []
    }

    /// Calls `body` with each member and the head's bytes. Used for fields whose quoted strings have backslash
    /// escapes.
    func forEachMember(of name: FieldName, _ body: (Range<Int>, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for field in fields where spells(field.name, name) {
                for member in ListMembers(field.value, of: bytes) { body(member, bytes) }
            }
        }
    }
}
