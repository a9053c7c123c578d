import PlacekeeperArchive
public import PlacekeeperRuntime

/// The model identifier of an item whose id is a string, a number, a UUID or a URL.
public enum ModelIdentifier {
    /// Returns the text of an id. Nil if the id's saved form is neither a string nor a whole number.
    public static func text(of id: some StateConvertible) -> String? {
        switch id.stateValue {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        default: return nil
        }
    }

    /// Returns the id that has a text. Nil if the text is not an id of this type.
    public static func id<ID: StateConvertible>(_ type: ID.Type = ID.self, from text: String) -> ID? {
        let id =
            ID(stateValue: .string(text)) ?? Int64(text).flatMap { ID(stateValue: .integer($0)) }
            ?? UInt64(text).flatMap { ID(stateValue: .unsigned($0)) }
        // A number that the type rounds or shortens is another id.
        return id.flatMap { Self.text(of: $0) == text ? $0 : nil }
    }
}
