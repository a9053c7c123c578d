extension RequestHead {
    /// Returns the members of a list-valued field, from all its lines (RFC 9110 section 5.6.1).
    package func members(of name: FieldName) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        forEachMember(of: name) { member, _ in members.append(bytes[member]) }
        return members
    }

    /// Returns the members of a list-valued field, from all its lines, in reverse. If each proxy appends a member, the
    /// nearest proxy wrote the last one. A member may be empty. Commas inside quotes separate members too, because a
    /// client may open a quoted string without closing it.
    ///
    /// - Parameter name: A name that is known only at run time. It consists of letters, digits and `-`.
    package func membersFromLast(of name: String) -> MembersFromLast { MembersFromLast(name, self) }

    /// The members of a field in reverse order. Reads only the members that are requested.
    package struct MembersFromLast: Sequence, IteratorProtocol {
        private let name: String
        private let head: RequestHead
        private var fieldCount: Int
        /// The unread part of the current field's value. Nil if no field is being read.
        private var rest: Range<Int>?

        fileprivate init(_ name: String, _ head: RequestHead) {
            self.name = name
            self.head = head
            fieldCount = head.fields.count
        }

        package mutating func next() -> ArraySlice<UInt8>? {
            guard let range = rest ?? previousValue() else { return nil }
            let comma = head.bytes[range].lastIndex(of: 0x2C)
            rest = comma.map { range.lowerBound..<$0 }
            let member = (comma.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound
            return head.bytes[head.bytes.withUnsafeBytes { Grammar.trimmed(member, of: $0) }]
        }

        private mutating func previousValue() -> Range<Int>? {
            while fieldCount > 0 {
                fieldCount -= 1
                let field = head.fields[fieldCount]
                if head.bytes[field.name].elementsEqual(name.utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
                    return field.value
                }
            }
            return nil
        }
    }

    /// Calls `body` with each member and the head's bytes. For fields whose quoted strings use backslash escapes.
    func forEachMember(of name: FieldName, _ body: (Range<Int>, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for field in fields where equalsIgnoringCase(field.name, name) {
                for member in ListMembers(field.value, of: bytes) { body(member, bytes) }
            }
        }
    }
}
