extension RequestHead {
    /// Whether If-None-Match contains this entity tag or is `*` (RFC 9110 section 13.1.2). Nil if the field is absent.
    ///
    /// The comparison is weak: `W/"1"` matches `"1"`. If the result is true, a GET gets 304.
    package func ifNoneMatchNames(_ tag: [UInt8]) -> Bool? { names(tag, in: .ifNoneMatch, comparison: .weak) }

    /// Whether If-Match contains this entity tag or is `*` (RFC 9110 section 13.1.1). Nil if the field is absent. `tag`
    /// is nil if there is no current representation; a nil tag never matches.
    ///
    /// The comparison is strong: a weak tag never matches. If the result is false, the request gets 412.
    package func ifMatchNames(_ tag: [UInt8]?) -> Bool? {
        guard let tag else { return self[.ifMatch] == nil ? nil : false }
        return names(tag, in: .ifMatch, comparison: .strong)
    }

    private func names(_ tag: [UInt8], in name: FieldName, comparison: EntityTag.Comparison) -> Bool? {
        bytes.withUnsafeBytes { bytes in
            tag.withUnsafeBytes { tag in
                var isThere = false
                for field in fields where equalsIgnoringCase(field.name, name) {
                    isThere = true
                    let value = UnsafeRawBufferPointer(rebasing: bytes[field.value])
                    if EntityTag.list(value, names: tag, comparison) { return true }
                }
                return isThere ? false : nil
            }
        }
    }
}

/// The syntax of entity tags in fields: `"opaque"` or `W/"opaque"` (RFC 9110 section 8.8.3).
enum EntityTag {
    enum Comparison {
        case strong, weak
    }

    /// Whether a list of entity tags contains `tag`, or is `*`. In a malformed list, only the tags before the error are
    /// compared.
    static func list(_ list: UnsafeRawBufferPointer, names tag: UnsafeRawBufferPointer, _ comparison: Comparison)
        -> Bool
    {
        if list.count == 1, list[0] == 0x2A { return true }
        let isWeak = tag.starts(with: [0x57, 0x2F])
        let opaque = UnsafeRawBufferPointer(rebasing: isWeak ? tag.dropFirst(2) : tag[...])
        var index = 0
        while index < list.count {
            if Grammar.isWhiteSpace(list[index]) || list[index] == 0x2C {
                index += 1
                continue
            }
            let memberIsWeak = index + 1 < list.count && list[index] == 0x57 && list[index + 1] == 0x2F
            if memberIsWeak { index += 2 }
            // In an entity tag, a backslash is not an escape, and a comma inside the quotes is content.
            guard index < list.count, list[index] == 0x22,
                let end = list[(index + 1)...].firstIndex(of: 0x22)
            else { return false }
            let member = UnsafeRawBufferPointer(rebasing: list[index...end])
            if comparison == .weak || !isWeak && !memberIsWeak, member.elementsEqual(opaque) { return true }
            index = end + 1
            guard index == list.count || list[index] == 0x2C || Grammar.isWhiteSpace(list[index]) else { return false }
        }
        return false
    }
}
