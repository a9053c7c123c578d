/// A value of a checked document, read where it is. For readers that need the digits of a number or the type of a value,
/// which a `Decoder` doesn't tell.
package struct JSONElement: Sendable {
    package enum Kind: Sendable {
        case null, number, text, array, object
        case boolean(Bool)
    }

    private let document: JSONDocument
    private let index: Int

    fileprivate init(_ index: Int, of document: JSONDocument) {
        self.document = document
        self.index = index
    }

    private var node: JSONDocument.Node { document.nodes[index] }

    package var kind: Kind {
        switch node.kind {
        case .object: .object
        case .array: .array
        case .text, .escapedText: .text
        case .number: .number
        case .true: .boolean(true)
        case .false: .boolean(false)
        case .null: .null
        }
    }

    /// A number as it is written.
    package var digits: String { String(decoding: document.digits(of: node), as: UTF8.self) }

    /// A text with its escapes resolved. Nil if it has half of a surrogate pair.
    package var text: String? { document.string(of: node) }

    /// Calls `body` with each element of an array.
    package func forEachElement<Failure: Error>(_ body: (JSONElement) throws(Failure) -> Void) throws(Failure) {
        var element = index + 1
        while element < node.next {
            try body(JSONElement(element, of: document))
            element = document.nodes[element].next
        }
    }

    /// Calls `body` with the name and the value of each member of an object, in the document's order.
    package func forEachMember<Failure: Error>(
        _ body: (_ name: JSONElement, _ value: JSONElement) throws(Failure) -> Void
    ) throws(Failure) {
        try document.forEachMember(of: index) { name, value throws(Failure) in
            try body(JSONElement(name, of: document), JSONElement(value, of: document))
        }
    }

    /// The names and indices that lead to the value. Slow; meant for errors.
    package var path: [String] { document.path(to: index).map(\.stringValue) }
}

extension JSONDocument {
    /// The whole document.
    package var root: JSONElement { JSONElement(0, of: self) }
}
