/// The underlying error of a `DecodingError` about an invalid member of a body. The detail is safe to show to the
/// client.
package struct InvalidMember: Error {
    package var detail: String
}

extension DecodingError {
    static func invalidMember(_ detail: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            Context(codingPath: path, debugDescription: detail, underlyingError: InvalidMember(detail: detail)))
    }
}

extension KeyedDecodingContainer {
    /// Decodes an optional member of a request. Returns nil if the member is absent. Rejects `null`, which no request
    /// schema allows, because the client may have meant to send a value.
    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        guard contains(key) else { return nil }
        guard try !decodeNil(forKey: key) else {
            throw DecodingError.invalidMember("The member must not be null.", at: codingPath + [key])
        }
        return try decode(Value.self, forKey: key)
    }

    /// Decodes a member of a merge patch (RFC 7396). Returns nil if the member is absent, and a nested nil for `null`.
    func patched<Value: Decodable>(_ key: Key) throws -> Value?? {
        guard contains(key) else { return nil }
        return .some(try decodeIfPresent(Value.self, forKey: key))
    }
}
