import PlacekeeperArchive

extension StateValue {
    /// Encodes a value. Keyed containers become dictionaries, and unkeyed containers become arrays.
    init(encoding value: some Encodable) throws {
        let node = EncodedNode()
        try node.encode(value, at: [])
        self = node.value
    }
}

/// A value being encoded. Its type may request several containers and fill them in any order, so all containers of one
/// value write to the same node.
private final class EncodedNode {
    enum Content {
        case nothing
        case single(StateValue)
        case keyed([String: EncodedNode])
        case unkeyed([EncodedNode])
    }

    var content = Content.nothing

    var value: StateValue {
        switch content {
        case .nothing: .dictionary([:])
        case .single(let value): value
        case .keyed(let nodes): .dictionary(nodes.mapValues(\.value))
        case .unkeyed(let nodes): .array(nodes.map(\.value))
        }
    }

    /// The maximum nesting depth. It is lower than the archive's limit, so a value that is too deep is left out and the
    /// rest of the archive is still saved.
    private static let greatestDepth = 120

    func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
        if let value = value as? any StateConvertible { return content = .single(value.stateValue) }
        guard path.count < Self.greatestDepth else {
            throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "Nested too deeply"))
        }
        try value.encode(to: NodeEncoder(node: self, codingPath: path))
    }

    func child(_ key: String) -> EncodedNode {
        var nodes: [String: EncodedNode] = [:]
        if case .keyed(let known) = content { nodes = known }
        let node = EncodedNode()
        nodes[key] = node
        content = .keyed(nodes)
        return node
    }

    func appendChild() -> EncodedNode {
        var nodes: [EncodedNode] = []
        if case .unkeyed(let known) = content { nodes = known }
        let node = EncodedNode()
        content = .unkeyed(nodes + [node])
        return node
    }
}

private struct NodeEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .keyed = node.content {} else { node.content = .keyed([:]) }
        return KeyedEncodingContainer(KeyedNode(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .unkeyed = node.content {} else { node.content = .unkeyed([]) }
        return UnkeyedNode(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleNode(node: node, codingPath: codingPath) }
}

private struct SingleNode: SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil() { node.content = .single(.null) }
    func encode(_ value: some Encodable) throws { try node.encode(value, at: codingPath) }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    private func encoder(_ key: any CodingKey) -> NodeEncoder {
        NodeEncoder(node: node.child(key.stringValue), codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) { encoder(key).node.content = .single(.null) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
        let next = encoder(key)
        try next.node.encode(value, at: next.codingPath)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder(IndexKey.parent) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct UnkeyedNode: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    var count: Int { if case .unkeyed(let nodes) = node.content { nodes.count } else { 0 } }

    private func encoder() -> NodeEncoder {
        let key = IndexKey(intValue: count)
        return NodeEncoder(node: node.appendChild(), codingPath: codingPath + [key])
    }

    func encodeNil() { node.appendChild().content = .single(.null) }
    func encode(_ value: some Encodable) throws {
        let next = encoder()
        try next.node.encode(value, at: next.codingPath)
    }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }
}

/// The coding key for an element of an unkeyed container, or the key `super`, under which a class encodes its
/// superclass.
struct IndexKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let parent = IndexKey(stringValue: "super")

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }
    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
