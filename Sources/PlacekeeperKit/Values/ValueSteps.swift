import PlacekeeperArchive
import PlacekeeperModels

/// The steps of a place, made from the app's state. The first step is the root. It contains the whole state, unless the
/// state is a path: then the root is empty, and each screen of the path is a step.
///
/// A case of an enum becomes a step with the name of the case, and with the associated values as parameters. `CodingKeys`
/// can keep the saved name of a case or a label that was renamed in the code.
@MainActor
struct ValueSteps {
    /// The name of the first step.
    static let root = "root"
    /// The name of the only parameter of a state that isn't coded with keys.
    private static let value = "value"

    let lists: ItemLists

    /// Returns the steps of a state.
    func steps(of state: some Encodable, title: String?) -> [RouteStep] {
        guard let path = state as? any PathValue else { return [step(of: state, title: title, typeName: nil)] }
        let typeName = type(of: path).nameOfScreens
        return [RouteStep(Self.root, title: title)]
            + path.screens.map { step(of: $0, title: nil, typeName: typeName) }
    }

    /// - Parameter typeName: The name of the screen's type. Nil for the root.
    private func step(of value: some Encodable, title: String?, typeName: String?) -> RouteStep {
        let form = PlaceValueForm(value)
        var step = RouteStep(typeName ?? Self.root)
        switch form.value {
        case .string(let name)? where typeName != nil: step.screen = name
        case .dictionary(let members)?:
            step.parameters = members
            if typeName != nil, members.count == 1, let (name, inner) = members.first,
                case .dictionary(let values) = inner
            {
                (step.screen, step.parameters) = (name, values)
            }
        case nil, .null?: break
        case let value?: step.parameters = [Self.value: value]
        }
        // The name of a case stands for a value without a label.
        if typeName != nil, DenyList.standard.denies(step.screen, isDeclared: true), !step.parameters.isEmpty {
            step.parameters = [:]
            step.denied = [step.screen]
        }
        let described = value as? any PlaceScreen
        step.title =
            described?.placeTitle ?? title ?? form.items.lazy.compactMap { [lists] in lists.title(of: $0) }.first
        step.progress = described?.placeProgress
        step.elements = form.items.map { lists.reference(to: $0) }
        step.refused = form.refused
        step.denied.formUnion(form.denied)
        return step
    }

    // MARK: - Reading

    /// Creates the screen of a step. Returns nil if the app doesn't know it, or if a value is missing or has another
    /// type.
    static func screen<Path: PathValue>(of step: RouteStep, in path: Path.Type, items: [ItemUse]) -> (any Codable)? {
        // A screen that isn't an enum's case has the name of its type.
        var forms: [StateValue] = []
        if step.screen == path.nameOfScreens {
            forms.append(.dictionary(step.parameters))
            if let value = step.parameters[Self.value] { forms.append(value) }
        }
        forms.append(.dictionary([step.screen: .dictionary(step.parameters)]))
        // An enum with raw values is coded as its raw value.
        if step.parameters.isEmpty { forms.append(.string(step.screen)) }
        for form in forms {
            if let screen = try? path.screen(from: PlaceValueDecoder(form, items: items)) { return screen }
        }
        return nil
    }

    /// Creates a state that isn't a path from the root's step. Returns nil if a value is missing or has another type.
    static func state<State: Decodable>(_ type: State.Type, of step: RouteStep, items: [ItemUse]) -> State? {
        if let state = value(type, of: .dictionary(step.parameters), items: items) { return state }
        return value(type, of: step.parameters[Self.value] ?? .null, items: items)
    }

    /// Creates a value from its saved form. Returns nil if a member is missing or has another type.
    static func value<Value: Decodable>(_ type: Value.Type, of form: StateValue, items: [ItemUse]) -> Value? {
        do { return try PlaceValueDecoder(form, items: items).decode(type) } catch {
            if case DecodingError.keyNotFound(let key, _) = error {
                DeveloperLog.write("\(type) is not restored: the saved state has no value for \"\(key.stringValue)\".")
            }
            return nil
        }
    }
}

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
