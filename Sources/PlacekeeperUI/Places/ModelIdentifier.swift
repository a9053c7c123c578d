import PlacekeeperArchive
public import PlacekeeperRuntime

/// The model identifier of an item whose id is a string, a number, a UUID or a URL.
public enum ModelIdentifier {
    /// Returns an id as text. Nil if the id is saved as neither a string nor a whole number.
    public static func text(of id: some StateConvertible) -> String? {
        switch id.stateValue {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        default: return nil
        }
    }

    /// Returns the id with the given text. Nil if the text isn't an id of this type.
    public static func id<ID: StateConvertible>(_ type: ID.Type = ID.self, from text: String) -> ID? {
        let id =
            ID(stateValue: .string(text)) ?? Int64(text).flatMap { ID(stateValue: .integer($0)) }
            ?? UInt64(text).flatMap { ID(stateValue: .unsigned($0)) }
        // A number that the type rounds or truncates is another id.
        return id.flatMap { Self.text(of: $0) == text ? $0 : nil }
    }
}
