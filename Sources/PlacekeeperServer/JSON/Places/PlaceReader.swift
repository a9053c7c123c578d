import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperJSON

/// Reads a place as JSON (docs/place-format.md) into an archive that has only this place. The archive's own writer and
/// reader check its limits afterward.
struct PlaceReader {
    /// The levels of JSON around the deepest value, which may be wrapped in a mark at each level.
    static let depth = 2 * StateValue.maximumDepth + 8

    private var meter = WorkMeter()
    private var referenceCount = 0

    static func archive(_ document: JSONDocument) throws(Problem) -> StateArchive {
        var reader = PlaceReader()
        return try reader.archive(document.root)
    }

    private mutating func archive(_ root: JSONElement) throws(Problem) -> StateArchive {
        let members = try Members(of: root)
        let format = try members.required("format")
        guard try integer(format) == PlaceForm.version else {
            throw .invalid(format, "This service reads format \(PlaceForm.version) of places.")
        }
        if let sealed = members["sealed"] {
            throw .invalid(sealed, "This service doesn't store sealed places.")
        }
        var archive = StateArchive()
        archive.isPlaceOnly = true
        archive.bundleVersion = try members["bundleVersion"].map(text)
        archive.systemVersion = try members["systemVersion"].map(text)
        archive.stateVersion = try members["stateVersion"].map { (element) throws(Problem) in try integer(element) }
        if let idiom = members["idiom"] {
            guard let known = Idiom(name: try text(idiom)) else { throw .invalid(idiom, "There is no such idiom.") }
            archive.idiom = Int64(known.rawValue)
        }
        if let layout = members["layout"] {
            guard let known = ArchiveLayout(rawValue: try text(layout)) else {
                throw .invalid(layout, "The layout must be compact or regular.")
            }
            archive.layout = known
        }
        if let savedAt = members["savedAt"] {
            guard case .date(let seconds) = try value(savedAt, depth: 1) else {
                throw .invalid(savedAt, "The member must be a $date.")
            }
            archive.timestamp = seconds
        }
        if let references = members["references"] {
            archive.references = try list(references) { (reader, element) throws(Problem) in
                try reader.reference(element)
            }
        }
        referenceCount = archive.references.count
        let steps = try list(members.required("steps")) { (reader, element) throws(Problem) in
            try reader.step(element)
        }
        archive.place = Place(steps, webAddress: try members["webAddress"].map(webAddress))
        return archive
    }

    private func webAddress(_ element: JSONElement) throws(Problem) -> String {
        let address = try text(element)
        guard Place.isWebAddress(address) else {
            throw .invalid(element, "The member must be an absolute URL with http or https, without credentials.")
        }
        return address
    }

    private mutating func step(_ element: JSONElement) throws(Problem) -> Place.Step {
        let members = try Members(of: element)
        var step = Place.Step(screen: try text(members.required("screen")), title: try members["title"].map(text))
        if let references = members["references"] {
            step.references = try list(references) { (reader, element) throws(Problem) in try reader.index(element) }
        }
        if let parameters = members["parameters"] {
            guard case .dictionary(let values) = try value(parameters, depth: 1) else {
                throw .invalid(parameters, "The member must be an object.")
            }
            step.parameters = values
        }
        step.progress = try members["progress"].map(fraction)
        return step
    }

    private mutating func reference(_ element: JSONElement) throws(Problem) -> ModelReference {
        let members = try Members(of: element)
        var reference = ModelReference(
            dataSource: try text(members.required("dataSource")), element: try item(members),
            role: .init(rawValue: try members["role"].map(text) ?? ModelReference.Role.other.rawValue))
        if let indexPath = members["indexPath"] {
            reference.indexPath = try list(indexPath) { (reader, element) throws(Problem) in
                Int(try reader.integer(element))
            }
        }
        reference.before = try neighbors(members["before"])
        reference.after = try neighbors(members["after"])
        if let step = members["step"] {
            var resolution = ModelReference.Resolution(
                step: .init(rawValue: try text(step)), confidence: try fraction(members.required("confidence")))
            resolution.isAmbiguous = try members["ambiguous"].map(boolean) ?? false
            resolution.neighbor = try members["neighbor"].map(text)
            reference.resolution = resolution
        }
        return reference
    }

    private mutating func neighbors(_ element: JSONElement?) throws(Problem) -> [ModelReference.Element] {
        guard let element else { return [] }
        let neighbors = try list(element) { (reader, element) throws(Problem) in
            try reader.item(try Members(of: element))
        }
        guard neighbors.count <= ModelReference.maximumNeighborCount else {
            throw .invalid(
                element, "A reference has at most \(ModelReference.maximumNeighborCount) neighbors on a side.")
        }
        return neighbors
    }

    private mutating func item(_ members: Members) throws(Problem) -> ModelReference.Element {
        var item = ModelReference.Element(try members["identifier"].map(text))
        if let aliases = members["aliases"] { item.aliases = try texts(aliases) }
        if let shared = members["shared"] { item.sharedAliases = try texts(shared) }
        return item
    }
}

// MARK: - Values

extension PlaceReader {
    private mutating func value(_ element: JSONElement, depth: Int) throws(Problem) -> StateValue {
        meter.consume(8)
        switch element.kind {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number: return try number(element)
        case .text: return .string(try text(element))
        case .array:
            try checkDepth(depth, of: element)
            return .array(
                try list(element) { (reader, element) throws(Problem) in try reader.value(element, depth: depth + 1) })
        case .object:
            let members = try Members(of: element)
            guard let mark = members.names.first(where: PlaceForm.isMark) else {
                return try dictionary(members, depth: depth)
            }
            guard members.names.count == 1, let kind = PlaceForm.Mark(rawValue: mark) else {
                throw .invalid(
                    element, "The object has a member that begins with $, but isn't a mark: wrap it in a $dictionary.")
            }
            return try marked(kind, members.required(mark), depth: depth)
        }
    }

    private mutating func dictionary(_ members: Members, depth: Int) throws(Problem) -> StateValue {
        try checkDepth(depth, of: members.object)
        var entries = [String: StateValue](minimumCapacity: members.names.count)
        // In the document's order, so that the first fault is always the same.
        try members.object.forEachMember { (name, element) throws(Problem) in
            entries[try text(name)] = try value(element, depth: depth + 1)
        }
        return .dictionary(entries)
    }

    private mutating func marked(
        _ mark: PlaceForm.Mark, _ element: JSONElement, depth: Int
    ) throws(Problem) -> StateValue {
        switch mark {
        case .integer:
            let digits = try text(element)
            if let value = Int64(digits), "\(value)" == digits { return .integer(value) }
            if let value = UInt64(digits), "\(value)" == digits { return .unsigned(value) }
            throw .invalid(element, "The member must be the decimal digits of a 64-bit integer.")
        case .real:
            switch try text(element) {
            case "NaN": return .real(.nan)
            case "Infinity": return .real(.infinity)
            case "-Infinity": return .real(-.infinity)
            default: throw .invalid(element, "The member must be NaN, Infinity or -Infinity.")
            }
        case .data:
            guard let bytes = Base64.decode(try text(element)) else {
                throw .invalid(element, "The member must be base64 with padding.")
            }
            return .data(bytes)
        case .date:
            let seconds = try real(element)
            guard PropertyListDate.isValid(seconds) else {
                throw .invalid(element, "The date must be in the years 1 to 9999.")
            }
            return .date(seconds)
        case .reference: return .reference(try index(element))
        case .dictionary: return try dictionary(try Members(of: element), depth: depth)
        }
    }

    private func checkDepth(_ depth: Int, of element: JSONElement) throws(Problem) {
        guard depth <= StateValue.maximumDepth else {
            throw .invalid(element, "Parameters are nested at most \(StateValue.maximumDepth) deep.")
        }
    }

    /// Returns a number as an integer if it is one, and exact in JavaScript. A larger number that is whole must be as
    /// JavaScript writes it, so that no digit is lost.
    private func number(_ element: JSONElement) throws(Problem) -> StateValue {
        let digits = element.digits
        let isWhole = !digits.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        if isWhole, digits != "-0", let value = Int64(digits), value.magnitude <= PlaceForm.maximumInteger {
            return .integer(value)
        }
        guard let value = Double(digits), value.isFinite else {
            throw .invalid(element, "The number is out of range.")
        }
        guard !isWhole || value == 0 || digits.significantDigits.elementsEqual("\(value)".significantDigits) else {
            throw .invalid(element, "JavaScript would round this number. Write it as an $integer.")
        }
        return .real(value)
    }
}

// MARK: - Parts

extension PlaceReader {
    /// The members of an object by name. An object has each member at most once.
    private struct Members {
        let object: JSONElement
        private var elements: [String: JSONElement] = [:]

        init(of object: JSONElement) throws(Problem) {
            guard case .object = object.kind else { throw .invalid(object, "The member must be an object.") }
            self.object = object
            try object.forEachMember { (name, element) throws(Problem) in
                guard let text = name.text else { throw .halfOfAPair(name) }
                guard elements.updateValue(element, forKey: text) == nil else {
                    throw .invalid(element, "The member is repeated.")
                }
            }
        }

        var names: Dictionary<String, JSONElement>.Keys { elements.keys }
        subscript(name: String) -> JSONElement? { elements[name] }

        func required(_ name: String) throws(Problem) -> JSONElement {
            guard let element = elements[name] else {
                var problem = Problem(.invalidBody, "The member is missing.")
                problem.point(to: object.path + [name])
                throw problem
            }
            return element
        }
    }

    private mutating func list<Value>(
        _ element: JSONElement, _ read: (inout PlaceReader, JSONElement) throws(Problem) -> Value
    ) throws(Problem) -> [Value] {
        guard case .array = element.kind else { throw .invalid(element, "The member must be an array.") }
        var values: [Value] = []
        try element.forEachElement { (element) throws(Problem) in
            meter.consume(8)
            values.append(try read(&self, element))
        }
        return values
    }

    private mutating func texts(_ element: JSONElement) throws(Problem) -> [String] {
        try list(element) { (reader, element) throws(Problem) in try reader.text(element) }
    }

    private func text(_ element: JSONElement) throws(Problem) -> String {
        guard case .text = element.kind else { throw .invalid(element, "The member must be a text.") }
        guard let text = element.text else { throw .halfOfAPair(element) }
        return text
    }

    private func boolean(_ element: JSONElement) throws(Problem) -> Bool {
        guard case .boolean(let value) = element.kind else {
            throw .invalid(element, "The member must be true or false.")
        }
        return value
    }

    /// Returns an integer, which may be marked.
    private mutating func integer(_ element: JSONElement) throws(Problem) -> Int64 {
        guard case .integer(let value) = try value(element, depth: 1) else {
            throw .invalid(element, "The member must be a 64-bit integer.")
        }
        return value
    }

    private func real(_ element: JSONElement) throws(Problem) -> Double {
        guard case .number = element.kind else { throw .invalid(element, "The member must be a number.") }
        switch try number(element) {
        case .integer(let value): return Double(value)
        case .real(let value): return value
        default: throw .invalid(element, "The member must be a number.")
        }
    }

    private func fraction(_ element: JSONElement) throws(Problem) -> Double {
        let value = try real(element)
        guard Place.Step.isProgress(value) else { throw .invalid(element, "The number must be from 0 to 1.") }
        return value
    }

    private mutating func index(_ element: JSONElement) throws(Problem) -> Int {
        let value = try integer(element)
        guard value >= 0, value < referenceCount else {
            throw .invalid(element, "There is no reference with this index.")
        }
        return Int(value)
    }
}

extension Problem {
    fileprivate static func invalid(_ element: JSONElement, _ detail: String) -> Problem {
        var problem = Problem(.invalidBody, detail)
        problem.point(to: element.path)
        return problem
    }

    fileprivate static func halfOfAPair(_ element: JSONElement) -> Problem {
        invalid(element, "The text has half of a surrogate pair.")
    }
}

extension String {
    /// The digits of a number without its exponent, and without zeros at either end.
    fileprivate var significantDigits: some Collection<UInt8> {
        let digits = utf8.prefix { $0 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
        let end = digits.lastIndex { $0 != 0x30 }.map { $0 + 1 } ?? 0
        return digits[..<end].drop { $0 == 0x30 }
    }
}
