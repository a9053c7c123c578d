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
    /// An integer, where there is one. Of a number that is none, or that does not fit, Foundation does not say where it is.
    func integer(_ key: Key) throws -> Int64? {
        do {
            return try decodeIfPresent(Int64.self, forKey: key)
        } catch let error as DecodingError {
            throw error
        } catch {
            throw DecodingError.invalidMember("The member is an integer of 64 bits.", at: codingPath + [key])
        }
    }
}
