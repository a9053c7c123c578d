/// Why a member of a body was not read: what stands beneath the decoding error, and is safe to show.
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
    /// An optional member of a request; nil when it is absent. `null` is refused, for no schema of a request allows it: what
    /// a client wants compared or stored is never taken for absent.
    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        guard contains(key) else { return nil }
        guard try !decodeNil(forKey: key) else {
            throw DecodingError.invalidMember("The member may not be null.", at: codingPath + [key])
        }
        return try decode(Value.self, forKey: key)
    }

    /// The same for an integer. Of a number that is not an integer of 64 bits, Foundation does not say where it is.
    func optionalInteger(_ key: Key) throws -> Int64? {
        do {
            return try optional(key)
        } catch let error as DecodingError {
            throw error
        } catch {
            throw DecodingError.invalidMember("The member is an integer of 64 bits.", at: codingPath + [key])
        }
    }
}
