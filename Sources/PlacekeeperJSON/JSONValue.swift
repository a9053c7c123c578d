/// A JSON value (RFC 8259). Texts and member names are UTF-8 bytes with escapes resolved, so they are compared byte by
/// byte. Meant for small documents in which repeated member names would be dangerous, such as tokens and keys.
package enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// A number. Infinite if too large for a `Double`.
    case number(Double)
    case text([UInt8])
    case array([JSONValue])
    case object([[UInt8]: JSONValue])

    /// Parses a document. Rejects repeated member names in an object, and unpaired halves of surrogate pairs in texts,
    /// because parsers disagree about their meaning.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and objects. Parsing is recursive in this depth.
    ///   - values: the maximum number of values.
    package init(_ bytes: [UInt8], depth: Int, values: Int) throws(JSONGrammar.Fault) {
        self = try JSONValue(0, of: try JSONDocument(bytes, depth: depth, values: values))
    }

    private init(_ index: Int, of document: JSONDocument) throws(JSONGrammar.Fault) {
        let node = document.nodes[index]
        switch node.kind {
        case .object:
            var members: [[UInt8]: JSONValue] = [:]
            try document.forEachMember(of: index) { name, value throws(JSONGrammar.Fault) in
                let text = try Self.text(document.nodes[name], of: document)
                guard members.updateValue(try JSONValue(value, of: document), forKey: text) == nil else {
                    throw Self.fault("A member name is repeated.", at: document.nodes[name], of: document)
                }
            }
            self = .object(members)
        case .array:
            var elements: [JSONValue] = []
            var element = index + 1
            while element < node.next {
                elements.append(try JSONValue(element, of: document))
                element = document.nodes[element].next
            }
            self = .array(elements)
        case .text, .escapedText: self = .text(try Self.text(node, of: document))
        case .number:
            guard let number = Double(String(decoding: document.digits(of: node), as: UTF8.self)) else {
                throw Self.fault("The body is not valid JSON.", at: node, of: document)
            }
            self = .number(number)
        case .true: self = .boolean(true)
        case .false: self = .boolean(false)
        case .null: self = .null
        }
    }

    private static func text(_ node: JSONDocument.Node, of document: JSONDocument) throws(JSONGrammar.Fault) -> [UInt8]
    {
        guard let text = document.text(of: node) else {
            throw fault("A text has half of a surrogate pair.", at: node, of: document)
        }
        return text
    }

    private static func fault(
        _ message: String, at node: JSONDocument.Node, of document: JSONDocument
    ) -> JSONGrammar.Fault {
        JSONGrammar.Fault(message: message, offset: document.offset(of: node))
    }

    /// The value of a member. Nil if this isn't an object, or has no such member.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[Array(name.utf8)]
    }

    /// The bytes of a text. Nil for any other value.
    package var text: [UInt8]? {
        guard case .text(let bytes) = self else { return nil }
        return bytes
    }

    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}
