import PlacekeeperArchive
import PlacekeeperCore

/// Writes an archive's place as JSON (docs/place-format.md). Equal places have equal bytes.
struct PlaceWriter {
    private let archived: ArchivedPlace
    /// The references of the place, by their indices in the archive.
    private let references: [Int]
    private var bytes: [UInt8] = []
    private var meter = WorkMeter()

    /// Returns nil if the archive has no place, or if the JSON exceeds `Limits.placeText`.
    static func json(_ archived: ArchivedPlace) -> [UInt8]? {
        guard let place = archived.place else { return nil }
        var writer = PlaceWriter(archived, place)
        return writer.write(place) ? writer.bytes : nil
    }

    private init(_ archived: ArchivedPlace, _ place: Place) {
        self.archived = archived
        var used: Set<Int> = []
        for step in place.steps {
            used.formUnion(step.references)
            for value in step.parameters.values { value.forEachReference { used.insert($0) } }
        }
        references = used.sorted()
    }

    /// Returns false if the JSON is too long.
    private mutating func write(_ place: Place) -> Bool {
        let summary = archived.summary
        open("{")
        member("format", .integer(PlaceForm.version))
        if let version = summary.bundleVersion { member("bundleVersion", .string(version)) }
        if let idiom = summary.idiom.flatMap({ Idiom(rawValue: Int($0)) }) { member("idiom", .string(idiom.name)) }
        if let layout = summary.layout { member("layout", .string(layout.rawValue)) }
        if let version = summary.systemVersion { member("systemVersion", .string(version)) }
        if let version = summary.stateVersion { member("stateVersion", .integer(version)) }
        if let timestamp = summary.timestamp { member("savedAt", .date(timestamp)) }
        if let address = place.webAddress { member("webAddress", .string(address)) }
        name("steps")
        open("[")
        for step in place.steps { write(step) }
        close("]")
        if !references.isEmpty {
            name("references")
            open("[")
            for index in references {
                write(archived.references[index])
                // References may share their texts in the archive, but not in JSON.
                guard bytes.count <= Limits.placeText else { return false }
            }
            close("]")
        }
        let omissions = archived.references.count - references.count
        if archived.hasState || omissions > 0 {
            name("omitted")
            open("{")
            if archived.hasState { member("state", .boolean(true)) }
            if omissions > 0 { member("references", .integer(Int64(omissions))) }
            close("}")
        }
        close("}")
        return true
    }

    private mutating func write(_ step: Place.Step) {
        open("{")
        member("screen", .string(step.screen))
        if let title = step.title { member("title", .string(title)) }
        if !step.references.isEmpty { member("references", .array(step.references.map { index(of: $0) })) }
        if !step.parameters.isEmpty {
            name("parameters")
            value(.dictionary(step.parameters))
        }
        if let progress = step.progress { member("progress", .real(progress)) }
        close("}")
    }

    private mutating func write(_ reference: ModelReference) {
        open("{")
        member("dataSource", .string(reference.dataSource))
        member("role", .string(reference.role.rawValue))
        members(of: reference.element)
        if let path = reference.indexPath { member("indexPath", .array(path.map { .integer(Int64($0)) })) }
        write(reference.before, "before")
        write(reference.after, "after")
        if let resolution = reference.resolution {
            member("step", .string(resolution.step.rawValue))
            member("confidence", .real(resolution.confidence))
            if resolution.isAmbiguous { member("ambiguous", .boolean(true)) }
            if let neighbor = resolution.neighbor { member("neighbor", .string(neighbor)) }
        }
        close("}")
    }

    private mutating func write(_ neighbors: [ModelReference.Element], _ key: StaticString) {
        guard !neighbors.isEmpty else { return }
        name(key)
        open("[")
        for neighbor in neighbors {
            open("{")
            members(of: neighbor)
            close("}")
        }
        close("]")
    }

    private mutating func members(of element: ModelReference.Element) {
        if let identifier = element.identifier { member("identifier", .string(identifier)) }
        if !element.aliases.isEmpty { member("aliases", .array(element.aliases.map { .string($0) })) }
        if let shared = element.sharedAliases { member("shared", .array(shared.map { .string($0) })) }
    }

    /// The index of a reference among the references of the place.
    private func index(of reference: Int) -> StateValue {
        var (low, high) = (0, references.count)
        while low < high {
            let middle = (low + high) / 2
            if references[middle] < reference { low = middle + 1 } else { high = middle }
        }
        return .integer(Int64(low))
    }
}

// MARK: - Values

extension PlaceWriter {
    private mutating func value(_ value: StateValue) {
        meter.consume(8)
        switch value {
        // A place contains no restorable objects and no instances.
        case .null, .object, .instance: append("null")
        case .boolean(let isTrue): append(isTrue ? "true" : "false")
        case .integer(let number) where number.magnitude <= PlaceForm.maximumInteger: append("\(number)")
        case .integer(let number): marked(.integer, .string("\(number)"))
        case .unsigned(let number): marked(.integer, .string("\(number)"))
        case .real(let number) where number.isFinite: append("\(number)")
        case .real(let number):
            marked(.real, .string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"))
        case .string(let text):
            separate()
            meter.consume(bytes: text.utf8.count)
            bytes.append(json: text)
        case .data(let data): marked(.data, .string(Base64.encode(data)))
        case .date(let seconds): marked(.date, .real(seconds))
        case .reference(let reference): marked(.reference, index(of: reference))
        case .array(let elements):
            open("[")
            for element in elements { self.value(element) }
            close("]")
        case .dictionary(let entries):
            let needsMark = entries.keys.contains(where: PlaceForm.isMark)
            if needsMark {
                open("{")
                key(PlaceForm.Mark.dictionary.rawValue)
            }
            open("{")
            for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
                key(name)
                self.value(entry)
            }
            close("}")
            if needsMark { close("}") }
        }
    }

    private mutating func marked(_ mark: PlaceForm.Mark, _ value: StateValue) {
        open("{")
        key(mark.rawValue)
        self.value(value)
        close("}")
    }

    private mutating func member(_ key: StaticString, _ value: StateValue) {
        name(key)
        self.value(value)
    }

    private mutating func name(_ name: StaticString) { key(name.description) }

    private mutating func key(_ name: String) {
        separate()
        bytes.append(json: name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
    }

    private mutating func close(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

    private mutating func append(_ text: String) {
        separate()
        bytes += text.utf8
    }

    /// Adds the comma between two members or elements. A text ends with a quotation mark, so the last byte is a bracket
    /// or a colon only before the first.
    private mutating func separate() {
        guard let last = bytes.last, ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":")].contains(last) else {
            return
        }
        bytes.append(UInt8(ascii: ","))
    }
}

extension StateValue {
    fileprivate func forEachReference(_ body: (Int) -> Void) {
        switch self {
        case .reference(let index): body(index)
        case .array(let elements): for element in elements { element.forEachReference(body) }
        case .dictionary(let entries): for entry in entries.values { entry.forEachReference(body) }
        default: break
        }
    }
}
