import PlacekeeperArchive
import PlacekeeperModels

/// The navigation of a window whose state is a value, such as the path of a stack.
@MainActor
final class ValueNavigator<Value: Codable>: PlaceNavigator {
    /// The state that the window shows. Nil for a window whose app hasn't shown one yet.
    private(set) var value: Value?
    /// The lists whose items the state names. An item of any other list is saved without neighbors, and isn't found on
    /// another device.
    var lists: [any ModelAssociation] {
        didSet { steps = nil }
    }
    /// The title of the root screen.
    var title: String? {
        didSet { if title != oldValue { steps = nil } }
    }
    /// The state of a window that starts fresh.
    private let initial: Value?
    /// The number of values that were shown.
    private var count = 0
    private var steps: [RouteStep]?
    /// Whether the next step may be the root. A later step with this name is a screen of the app.
    private var expectsRoot = true

    /// - Parameters:
    ///   - value: The state that the app shows.
    ///   - fresh: The state of a window that starts fresh. Defaults to `value`. A path starts empty.
    init(_ value: Value? = nil, fresh: Value? = nil, lists: [any ModelAssociation] = [], title: String? = nil) {
        (self.value, self.lists, self.title) = (value, lists, title)
        initial = (Value.self as? any PathValue.Type)?.init(screens: []) as? Value ?? fresh ?? value
    }

    /// Records that the window shows a value.
    func show(_ value: Value?) {
        self.value = value
        count += 1
        steps = nil
    }

    var placeSteps: [RouteStep] {
        if let steps { return steps }
        let writer = ValueSteps(lists: ItemLists(lists))
        let steps = value.map { writer.steps(of: $0, title: title) } ?? [RouteStep(ValueSteps.root, title: title)]
        self.steps = steps
        return steps
    }

    func goToFirstScreen() {
        expectsRoot = true
        show(initial)
    }

    func go(to step: PlaceStep) async -> Bool { await reach(step) == nil }

    /// Goes to a step. A path goes no further if an item hasn't arrived, or if the app doesn't know the screen or one
    /// of its values. No other item ever stands in.
    func reach(_ step: PlaceStep) async -> PlaceRestoration.Reason? {
        if let path = Value.self as? any PathValue.Type { return await reach(step, in: path) }
        guard step.screen == ValueSteps.root else { return .init(.unknownScreen) }
        let step = RouteStep(step)
        let before = count
        let items = await items(of: step.elements)
        guard count == before, let state = ValueSteps.state(Value.self, of: step, items: items) else {
            return .init(.declined)
        }
        show(state)
        return nil
    }

    private func reach<Path: PathValue>(_ step: PlaceStep, in path: Path.Type) async -> PlaceRestoration.Reason? {
        let screens = (value as? Path)?.screens ?? []
        if expectsRoot, step.screen == ValueSteps.root {
            expectsRoot = false
            return screens.isEmpty ? nil : .init(.declined)
        }
        expectsRoot = false
        let step = RouteStep(step)
        let before = (count, value)
        let items = await items(of: step.elements)
        // The user may have navigated while the list loaded an item.
        guard items.allSatisfy({ $0.id != nil }), count == before.0 else { return .init(.declined) }
        guard let screen = ValueSteps.screen(of: step, in: path, items: items),
            let longer = Path(screens: screens + [screen]) as? Value
        else { return .init(.unknownScreen) }
        show(longer)
        // A value that the screen doesn't save again is from another version of the app.
        let saved = placeSteps.last?.parameters ?? [:]
        let unknown = step.parameters.filter { saved[$0.key] == nil && $0.value != .null }.keys.min()
        guard let unknown else { return nil }
        show(before.1)
        return .init(.unknownParameter, parameter: unknown)
    }

    func lookAgain() async -> Bool {
        guard let value, !(value is any PathValue) else { return false }
        let form = PlaceValueForm(value)
        guard let coded = form.value, form.items.contains(where: { $0.id == nil }) else { return false }
        let before = count
        var (items, isFound) = (form.items, false)
        for index in items.indices {
            guard items[index].id == nil, let saved = items[index].saved else { continue }
            items[index] = await self.items(of: [saved])[0]
            isFound = isFound || items[index].id != nil
        }
        guard isFound, count == before, let state = ValueSteps.value(Value.self, of: coded, items: items) else {
            return false
        }
        show(state)
        return true
    }

    func item(_ saved: ModelReference) -> ItemUse { ItemUse(saved, in: ItemLists(lists)) }

    /// Finds the items of a step, and loads those that aren't in memory. An item that isn't found keeps its saved
    /// reference.
    private func items(of elements: [ModelReference]) async -> [ItemUse] {
        let known = ItemLists(lists)
        var items = elements.map { ItemUse($0, in: known) }
        for index in items.indices where items[index].id == nil {
            guard let list = known[elements[index].dataSource] else { continue }
            _ = await elements[index].revealElement(in: list)
            // The lists may have changed meanwhile.
            items[index] = ItemUse(elements[index], in: ItemLists(lists))
        }
        return items
    }
}

extension RouteStep {
    /// A step as it was saved.
    @MainActor
    init(_ step: PlaceStep) {
        self.init(
            step.screen, title: step.title, elements: step.elements, parameters: step.values,
            progress: step.progress)
    }
}
