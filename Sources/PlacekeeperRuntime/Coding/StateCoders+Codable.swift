import PlacekeeperArchive

extension StateEncoder {
    /// Saves an `Encodable` value, or nil. If the value cannot be encoded, it is not saved, and the restoration log
    /// reports the error.
    ///
    /// Dates, data and other `StateConvertible` values inside `value` are saved in their `stateValue` form.
    public func encode<Value: Encodable>(codable value: Value?, forKey key: String) {
        guard let value else { return encode(.null, forKey: key) }
        do { encode(try StateValue(encoding: value), forKey: key) } catch {
            context.lint(path, key, .unsupported("\(error)"))
        }
    }
}

extension StateDecoder {
    /// Returns a `Decodable` value. `nil` if nothing was saved, or if nil was saved.
    /// - Throws: A `DecodingError` if the saved value does not fit the type, or any other error from the type's
    ///   `init(from:)`.
    public func decode<Value: Decodable>(
        codable type: Value.Type = Value.self, forKey key: String
    ) throws -> Value? {
        guard let value = value(forKey: key), value != .null else { return nil }
        return try value.decoded(as: type)
    }
}
