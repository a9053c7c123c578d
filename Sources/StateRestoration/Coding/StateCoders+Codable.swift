import KeyedArchive

extension StateEncoder {
    /// Saves a `Codable` value, with its own keys, or that there is none. One that cannot be encoded is left out, and the
    /// log tells.
    ///
    /// Dates, data and whatever else is `StateConvertible` are saved as that.
    public func encode<Value: Encodable>(codable value: Value?, forKey key: String) {
        guard let value else { return encode(.null, forKey: key) }
        do { encode(try StateValue(encoding: value), forKey: key) } catch {
            context.lint(path, key, .unsupported("\(error)"))
        }
    }
}

extension StateDecoder {
    /// A `Codable` value; nil when there is none.
    /// - Throws: what its type says of a value that is something else.
    public func decode<Value: Decodable>(
        codable type: Value.Type = Value.self, forKey key: String
    ) throws -> Value? {
        guard let value = value(forKey: key), value != .null else { return nil }
        return try value.decoded(as: type)
    }
}
