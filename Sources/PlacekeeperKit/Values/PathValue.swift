/// A state that is a path: each element is a screen of its own, so a place can end before a screen that this device
/// can't show.
protocol PathValue {
    var screens: [any Codable] { get }
    init?(screens: [any Codable])
    static func screen(from decoder: PlaceValueDecoder) throws -> any Codable
    static var nameOfScreens: String { get }
}

extension Array: PathValue where Element: Codable {
    var screens: [any Codable] { self }

    init?(screens: [any Codable]) {
        let elements = screens.compactMap { $0 as? Element }
        guard elements.count == screens.count else { return nil }
        self = elements
    }

    static func screen(from decoder: PlaceValueDecoder) throws -> any Codable { try decoder.decode(Element.self) }
    static var nameOfScreens: String { String(describing: Element.self) }
}
