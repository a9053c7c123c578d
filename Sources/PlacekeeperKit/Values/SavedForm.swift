import Foundation
import PlacekeeperArchive
import PlacekeeperModels

/// The saved form of a state, for a test that compares it with a committed file: the screens, their values, and the
/// lists of their items.
package struct SavedForm: Codable, Hashable, Sendable {
    package struct Screen: Codable, Hashable, Sendable {
        package var screen: String
        fileprivate var values: [String: SavedValue]?
        fileprivate var items: [String]?
    }

    /// The screens. A path has no root here.
    package var screens: [Screen]

    /// The form that this version of the app saves.
    @MainActor
    package init(of value: some Codable) {
        let writer = ValueSteps(lists: ItemLists())
        let steps = writer.steps(of: value, title: nil)
        screens = (value is any PathValue ? Array(steps.dropFirst()) : steps).map { step in
            Screen(
                screen: step.screen,
                values: step.parameters.isEmpty ? nil : step.parameters.mapValues(SavedValue.init),
                items: step.elements.isEmpty ? nil : step.elements.map(\.dataSource))
        }
    }

    /// Whether this form has each screen and value of another one. New optional values may come in addition.
    package func contains(_ other: SavedForm) -> Bool {
        screens.count == other.screens.count
            && zip(screens, other.screens).allSatisfy { screen, other in
                screen.screen == other.screen && (screen.items ?? []).count >= (other.items ?? []).count
                    && SavedValue.object(screen.values).covers(.object(other.values))
            }
    }

    /// Returns the value that this version of the app restores from the form. Nil if it restores less than the whole.
    @MainActor
    package func restored<Value: Codable>(as type: Value.Type) async -> Value? {
        var archive = StateArchive(place: Place([]))
        if type is any PathValue.Type { archive.place?.steps.append(.init(screen: ValueSteps.root)) }
        for screen in screens {
            let start = archive.references.count
            for (number, list) in (screen.items ?? []).enumerated() {
                archive.references.append(
                    ModelReference(dataSource: list, element: .init("example \(number)"), role: .selected))
            }
            let values = (screen.values ?? [:]).compactMapValues { $0.value.movingReferences { start + $0 } }
            archive.place?.steps.append(
                .init(screen: screen.screen, references: Array(start..<archive.references.count), parameters: values))
        }
        let lists = Set(screens.flatMap { $0.items ?? [] }).map { ExampleList(dataSourceName: $0) }
        let navigator = ValueNavigator<Value>(lists: lists)
        navigator.goToFirstScreen()
        let result = await archive.restorePlace(through: navigator)
        return result?.stopped == nil ? navigator.value : nil
    }

    /// A sentence for each value that a place can't save.
    @MainActor
    package static func findings(in value: some Codable) -> [String] {
        let writer = ValueSteps(lists: ItemLists())
        return writer.steps(of: value, title: nil).flatMap { step in
            let fitted = FittedStep(
                Place.Step(
                    screen: step.screen, title: step.title, references: Array(step.elements.indices),
                    parameters: step.parameters, progress: step.progress), referenceCount: step.elements.count)
            let denied = DenyList.standard.names(in: .dictionary(step.parameters)).union(step.denied).sorted()
            return step.refused.map { "A place can't save the type of \"\($0)\" of the screen \"\(step.screen)\"." }
                + denied.map { "\"\($0)\" of the screen \"\(step.screen)\" is never saved: the name denotes a secret." }
                + fitted.omissions.map {
                    "\"\($0.name)\" of the screen \"\(step.screen)\" is too large, or can't be saved."
                }
                + (fitted.step == nil ? ["The screen \"\(step.screen)\" is too large for a place."] : [])
        }
    }
}

/// A list that has every item.
private final class ExampleList: ModelAssociation {
    let dataSourceName: String
    let listElements: [ListElement] = []

    init(dataSourceName: String) { self.dataSourceName = dataSourceName }

    func containsElement(withModelIdentifier identifier: String) -> Bool { true }
}

/// A saved value as JSON. What JSON doesn't have is an object with one member that begins with a dollar sign.
private struct SavedValue: Codable, Hashable {
    let value: StateValue

    init(_ value: StateValue) { self.value = Self.asInJSON(value) }

    static func object(_ members: [String: SavedValue]?) -> SavedValue {
        SavedValue(.dictionary((members ?? [:]).mapValues(\.value)))
    }

    /// Whether this value has each member of another one.
    func covers(_ other: SavedValue) -> Bool { Self.covers(value, other.value) }

    private static func covers(_ value: StateValue, _ other: StateValue) -> Bool {
        switch (value, other) {
        case (.dictionary(let members), .dictionary(let others)):
            others.allSatisfy { name, other in
                other == .null || members[name].map { covers($0, other) } == true
            }
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { covers($0, $1) }
        default: true
        }
    }

    /// JSON has one type of number, so a real number without a fraction is an integer here.
    private static func asInJSON(_ value: StateValue) -> StateValue {
        switch value {
        case .real(let number): Int64(exactly: number).map(StateValue.integer) ?? value
        case .array(let elements): .array(elements.map(asInJSON))
        case .dictionary(let members): .dictionary(members.mapValues(asInJSON))
        default: value
        }
    }

    private enum Mark: String, CodingKey {
        case item = "$item"
        case data = "$data"
        case date = "$date"
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .reference(let index):
            var container = encoder.container(keyedBy: Mark.self)
            try container.encode(index, forKey: .item)
        case .data(let bytes):
            var container = encoder.container(keyedBy: Mark.self)
            try container.encode(Data(bytes), forKey: .data)
        case .date(let seconds):
            var container = encoder.container(keyedBy: Mark.self)
            try container.encode(seconds, forKey: .date)
        case .array(let values): try values.map(SavedValue.init).encode(to: encoder)
        case .dictionary(let members): try members.mapValues(SavedValue.init).encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch value {
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .unsigned(let value): try container.encode(value)
            case .real(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }

    init(from decoder: any Decoder) throws { value = try Self.value(from: decoder) }

    private static func value(from decoder: any Decoder) throws -> StateValue {
        if let container = try? decoder.container(keyedBy: Mark.self), container.allKeys.count == 1 {
            if let index = try? container.decode(Int.self, forKey: .item) { return .reference(index) }
            if let data = try? container.decode(Data.self, forKey: .data) { return .data(Array(data)) }
            if let seconds = try? container.decode(Double.self, forKey: .date) { return .date(seconds) }
        }
        if let members = try? [String: SavedValue](from: decoder) { return .dictionary(members.mapValues(\.value)) }
        if let elements = try? [SavedValue](from: decoder) { return .array(elements.map(\.value)) }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if let truth = try? container.decode(Bool.self) { return .boolean(truth) }
        if let number = try? container.decode(Int64.self) { return .integer(number) }
        if let number = try? container.decode(Double.self) { return .real(number) }
        return .string(try container.decode(String.self))
    }
}
