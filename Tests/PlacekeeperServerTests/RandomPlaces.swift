import PlacekeeperArchive

/// Generates random places, and JSON documents of places. The same seed gives the same ones.
struct RandomPlaces: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns the next number of SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func isTrue() -> Bool { number(0..<2) == 0 }

    mutating func list<Element>(_ counts: Range<Int>, of element: (inout RandomPlaces) -> Element) -> [Element] {
        (0..<number(counts)).map { _ in element(&self) }
    }

    mutating func text() -> String {
        let texts = [
            "", "__proto__", "constructor", "$date", "$", "$dictionary", "$null", "Placekeeper.null", "NaN", "-0", "é",
            "e\u{301}", "🏖️", "\u{0}\u{1F}\u{7F}", "\u{2028}\"\\/", "\u{FFFF}\u{10FFFF}", "1e999",
        ]
        let letters = Array("abc日ß \n")
        return isTrue()
            ? texts[number(0..<texts.count)] : String(list(0..<9) { letters[$0.number(0..<letters.count)] })
    }

    mutating func real() -> Double {
        let special = [
            0, -0.0, 1, 0.1, 1e16, 0x1p53, 0x1p60, -1e21, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
            .infinity, -.infinity,
        ]
        return isTrue() ? special[number(0..<special.count)] : Double(bitPattern: next())
    }

    mutating func integer() -> StateValue {
        let special: [Int64] = [0, -1, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, -(1 << 53), .max, .min]
        switch number(0..<3) {
        case 0: return .integer(special[number(0..<special.count)])
        case 1: return .unsigned(UInt64(Int64.max) + 1 + next() >> 1)
        default: return .integer(Int64(truncatingIfNeeded: next()) >> Int64(number(0..<64)))
        }
    }

    mutating func date() -> Double {
        let special = [0, -0.0, 0.1, -1e-20, 817_804_487.123, -63_114_076_800, 252_423_993_599.9]
        return isTrue() ? special[number(0..<special.count)] : Double.random(in: -6e10..<2e11, using: &self)
    }

    mutating func value(depth: Int = 3) -> StateValue {
        switch number(0..<(depth > 0 ? 11 : 8)) {
        case 0: return .null
        case 1: return .boolean(isTrue())
        case 2: return integer()
        case 3: return .real(real())
        case 4: return .string(text())
        case 5: return .data(list(0..<9) { UInt8.random(in: 0...255, using: &$0) })
        case 6: return .date(date())
        case 7: return .reference(number(0..<4))
        case 8: return .array(list(0..<5) { $0.value(depth: depth - 1) })
        default: return .dictionary(members(depth: depth - 1))
        }
    }

    mutating func members(depth: Int) -> [String: StateValue] {
        Dictionary(list(0..<5) { ($0.text(), $0.value(depth: depth)) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func element() -> ModelReference.Element {
        .init(
            isTrue() ? nil : text(), aliases: list(0..<3) { $0.text() },
            sharedAliases: isTrue() ? nil : list(0..<3) { $0.text() })
    }

    mutating func reference() -> ModelReference {
        var reference = ModelReference(
            dataSource: text(), element: element(), role: .init(rawValue: isTrue() ? "selected" : text()),
            indexPath: isTrue() ? nil : list(0..<3) { $0.isTrue() ? .max : $0.number(0..<9) },
            before: list(0..<9) { $0.element() }, after: list(0..<9) { $0.element() })
        if isTrue() {
            reference.resolution = .init(
                step: .alias, confidence: Double.random(in: 0...1, using: &self), isAmbiguous: isTrue(),
                neighbor: isTrue() ? nil : text())
        }
        return reference
    }

    /// Returns an archive of an app that has only a place. The place uses all of its references.
    mutating func archive() -> StateArchive {
        var archive = StateArchive(
            bundleVersion: isTrue() ? nil : "1.2", idiom: isTrue() ? nil : Int64(number(-1..<7)),
            timestamp: isTrue() ? nil : date(), systemVersion: isTrue() ? nil : "18.1",
            stateVersion: isTrue() ? nil : Int64(truncatingIfNeeded: next()),
            layout: [nil, .compact, .regular][number(0..<3)], references: (0..<4).map { _ in reference() },
            place: Place(
                list(0..<4) {
                    .init(
                        screen: $0.text(), title: $0.isTrue() ? nil : $0.text(),
                        references: $0.list(0..<4) { $0.number(0..<4) }, parameters: $0.members(depth: 3),
                        progress: $0.isTrue() ? nil : Double($0.number(0..<101)) / 100)
                } + [.init(screen: "all", references: [3, 2, 1, 0])],
                webAddress: isTrue() ? nil : "https://a.example/?q=%C3%A9"))
        archive.isPlaceOnly = true
        return archive
    }
}
