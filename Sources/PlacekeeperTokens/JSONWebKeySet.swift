import PlacekeeperJSON

/// A set of keys (RFC 7517 section 5). Identifiers are unique within the set.
package struct JSONWebKeySet: Sendable {
    /// The maximum size of a document, in bytes.
    package static let maximumBytes = 256 << 10
    /// The maximum number of keys in a document, including those that are skipped.
    package static let maximumKeys = 100

    package let keys: [JSONWebKey]
    /// The positions in `keys`, by identifier. Identifiers are compared byte by byte.
    private let positions: [[UInt8]: Int]

    package init() {
        keys = []
        positions = [:]
    }

    /// Throws if two keys have the same identifier, or if there are too many keys.
    package init(_ keys: [JSONWebKey]) throws(JSONWebKeyError) {
        guard keys.count <= Self.maximumKeys else { throw JSONWebKeyError("it has more than \(Self.maximumKeys) keys") }
        var positions: [[UInt8]: Int] = [:]
        for (position, key) in keys.enumerated() {
            guard let identifier = key.identifier else { continue }
            guard positions.updateValue(position, forKey: Array(identifier.utf8)) == nil else {
                throw JSONWebKeyError("two keys have the same identifier (kid)")
            }
        }
        self.keys = keys
        self.positions = positions
    }

    /// Reads a document with a set of keys. Skips keys that aren't for verifying signatures, and keys for unsupported
    /// algorithms. Ignores unknown members.
    package init(json bytes: [UInt8]) throws(JSONWebKeyError) {
        let document = try Self.document(bytes)
        guard case .array(let values) = document["keys"] else {
            throw JSONWebKeyError("it has no array of keys (keys)")
        }
        guard values.count <= Self.maximumKeys else {
            throw JSONWebKeyError("it has more than \(Self.maximumKeys) keys")
        }
        var keys: [JSONWebKey] = []
        for value in values {
            if let key = try JSONWebKey.read(value) { keys.append(key) }
        }
        try self.init(keys)
    }

    /// Reads keys from a document with either a set of keys or a single key.
    package static func keys(json bytes: [UInt8]) throws(JSONWebKeyError) -> [JSONWebKey] {
        let document = try document(bytes)
        guard document["keys"] == nil else { return try JSONWebKeySet(json: bytes).keys }
        guard let key = try JSONWebKey.read(document) else {
            throw JSONWebKeyError("the key is not for verifying signatures with HS256, RS256 or ES256")
        }
        return [key]
    }

    /// Reads keys from the JSON forms that `JSONWebKey.members` returns.
    package init(members: [[String: String]]) throws(JSONWebKeyError) {
        var keys: [JSONWebKey] = []
        for members in members {
            let pairs = members.map { (Array($0.key.utf8), JSONValue.text(Array($0.value.utf8))) }
            if let key = try JSONWebKey.read(.object(Dictionary(pairs) { first, _ in first })) { keys.append(key) }
        }
        try self.init(keys)
    }

    /// The key with an identifier, compared byte by byte.
    func key(_ identifier: [UInt8]) -> JSONWebKey? { positions[identifier].map { keys[$0] } }

    private static func document(_ bytes: [UInt8]) throws(JSONWebKeyError) -> JSONValue {
        guard bytes.count <= maximumBytes else { throw JSONWebKeyError("it has more than \(maximumBytes) bytes") }
        let document: JSONValue
        do throws(JSONGrammar.Fault) {
            // Unknown members may be nested. A certificate chain (x5c) is an array inside a key, in an array in the
            // document.
            document = try JSONValue(bytes, depth: 16, values: 10_000)
        } catch {
            throw JSONWebKeyError("it is not valid JSON at byte \(error.offset)")
        }
        guard case .object = document else { throw JSONWebKeyError("it is not a JSON object") }
        return document
    }
}

/// The reason why a key or a set of keys is rejected. The message is a clause about the set, such as `it is not valid
/// JSON`. It never quotes the document, which may contain secrets.
package struct JSONWebKeyError: Error, Sendable, Hashable {
    package var message: String
    package init(_ message: String) { self.message = message }
}
