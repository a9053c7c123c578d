import PlacekeeperArchive

/// Generates random values. The same seed gives the same values.
struct RandomArchives: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// Returns the next number of SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func text() -> String {
        let alphabet: [Character] = ["a", "b", "Z", "0", " ", "/", ".", "é", "ß", "日", "🏖️", "\u{0}", "$", "\"", "\n"]
        return String(
            (0..<number(0..<[1, 4, 20, 300][number(0..<4)] + 1)).map { _ in alphabet[number(0..<alphabet.count)] })
    }

    mutating func data() -> [UInt8] { (0..<number(0..<40)).map { _ in UInt8.random(in: 0...255, using: &self) } }

    mutating func integer() -> Int64 { Int64(truncatingIfNeeded: next()) >> Int64(number(0..<64)) }

    mutating func real() -> Double { Double(integer()) / 1024 }

    mutating func date() -> Double { Double(number(-63_114_076_800..<252_423_993_600)) + 0.5 }

    mutating func propertyList(depth: Int = 4, hasUIDs: Bool = true) -> PropertyListValue {
        switch number(0..<(depth > 0 ? 10 : 8)) {
        case 0: return .boolean(number(0..<2) == 1)
        case 1: return .integer(integer())
        case 2: return .real(real())
        case 3: return .date(date())
        case 4: return .data(data())
        case 5: return hasUIDs ? .uid(UInt32(truncatingIfNeeded: next() >> UInt64(number(32..<64)))) : .boolean(true)
        case 6: return .unsigned(UInt64(Int64.max) + 1 + next() / 2)
        case 7: return .string(text())
        case 8: return .array((0..<number(0..<20)).map { _ in propertyList(depth: depth - 1, hasUIDs: hasUIDs) })
        default:
            return .dictionary(
                Dictionary(
                    (0..<number(0..<20)).map { _ in (text(), propertyList(depth: depth - 1, hasUIDs: hasUIDs)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    mutating func state(depth: Int = 3) -> StateValue {
        switch number(0..<(depth > 0 ? 13 : 11)) {
        case 0: return .boolean(number(0..<2) == 1)
        case 1: return .integer(integer())
        case 2: return .real(real())
        case 3: return .date(date())
        case 4: return .data(data())
        case 5: return .null
        case 6: return .unsigned(.max - UInt64(number(0..<9)))
        case 7: return .string(["$null", text()][number(0..<2)])
        case 8: return .object(path: text())
        case 9: return .reference(number(0..<3))
        case 10: return .instance(number(0..<2))
        case 11: return .array((0..<number(0..<8)).map { _ in state(depth: depth - 1) })
        default: return .dictionary(entries(depth: depth - 1))
        }
    }

    mutating func entries(depth: Int = 3) -> [String: StateValue] {
        let keys = ["Placekeeper.null", "Placekeeper.", "Placekeeper.dictionary", "", text(), text(), text()]
        return Dictionary(
            (0..<number(0..<6)).map { _ in (keys[number(0..<keys.count)], state(depth: depth)) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func element() -> ModelReference.Element {
        .init(
            number(0..<4) == 0 ? nil : text(), aliases: (0..<number(0..<3)).map { _ in text() },
            sharedAliases: number(0..<2) == 0 ? nil : (0..<number(0..<3)).map { _ in text() })
    }

    mutating func archive() -> StateArchive {
        let kinds: [RestorableObject.Kind] = [.viewController, .view, .object, .init(rawValue: text())]
        return StateArchive(
            bundleVersion: number(0..<2) == 0 ? nil : "1.\(number(0..<99))", idiom: Int64(number(-1..<9)),
            timestamp: date(),
            systemVersion: number(0..<2) == 0 ? nil : "17.4", stateVersion: number(0..<2) == 0 ? nil : integer(),
            layout: [nil, .compact, .regular][number(0..<3)], application: entries(),
            objects: (0..<number(0..<6)).map { index in
                RestorableObject(
                    path: "\(index)/" + text(), kind: kinds[number(0..<4)], className: text(),
                    restorationClass: number(0..<2) == 0 ? nil : text(), storyboard: number(0..<2) == 0 ? nil : text(),
                    storyboardIdentifier: number(0..<2) == 0 ? nil : text(), isRegistered: number(0..<2) == 0,
                    state: entries())
            },
            instances: (0..<2).map { _ in SavedInstance(className: text(), state: entries()) },
            references: (0..<3).map { _ in
                ModelReference(
                    dataSource: text(), element: element(), role: [.selected, .firstVisible, .other][number(0..<3)],
                    indexPath: number(0..<2) == 0 ? nil : (0..<number(0..<4)).map { _ in number(0..<99) },
                    before: (0..<number(0..<9)).map { _ in element() },
                    after: (0..<number(0..<9)).map { _ in element() })
            },
            place: number(0..<3) == 0
                ? nil
                : Place(
                    (0..<number(0..<5)).map { _ in
                        Place.Step(
                            screen: text(), title: number(0..<2) == 0 ? nil : text(),
                            references: (0..<number(0..<4)).map { _ in number(0..<3) },
                            parameters: ["zoom": .real(real()), "list": .array([.reference(1), .null])],
                            progress: number(0..<2) == 0 ? nil : Double(number(0..<101)) / 100)
                    }, webAddress: number(0..<2) == 0 ? nil : "https://a.example/\(number(0..<9))?q=%C3%A9#end"))
    }
}
