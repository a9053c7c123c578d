import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService

/// Builds the JSON form of an archive's place for one device.
struct PlaceReading {
    private let archived: ArchivedPlace
    private let app: App
    /// The number of bytes left for the texts of further references.
    private var room = Limits.placeReferences
    private var omitted = 0

    typealias Reference = Wire.RestorablePlace.Reference

    /// - Parameter archived: the place as it is served to the device.
    init(_ archived: ArchivedPlace, for app: App) {
        self.archived = archived
        self.app = app
    }

    mutating func place(_ served: Selection.Served) -> Wire.RestorablePlace {
        let steps = (archived.place?.steps ?? []).map { step in
            Wire.RestorablePlace.Step(
                screen: step.screen, title: step.title, parameters: step.parameters.mapValues { value($0) },
                references: step.references.compactMap { reference($0) }, progress: step.progress)
        }
        return Wire.RestorablePlace(
            archive: Wire.Archive(served.archive), fidelity: Wire.Fidelity(served.fidelity),
            superseded: served.superseded.map {
                .init(head: $0.head.rawValue, seconds: $0.by.wholeMilliseconds / 1000)
            },
            caution: served.caution?.code, webAddress: archived.place?.webAddress, steps: steps,
            omittedReferences: omitted > 0 ? omitted : nil)
    }

    /// Returns a parameter's value as JSON (openapi.yaml, schema `RestorablePlace`).
    private mutating func value(_ value: StateValue) -> Wire.Value {
        switch value {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value):
            // JSON has neither infinities nor NaN.
            return value.isFinite ? .number(value) : .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        case .string(let value): return .string(value)
        case .data(let bytes): return .string(Base64.encode(bytes))
        case .date(let seconds): return .string(Time(secondsSince2001: seconds).description)
        case .array(let elements): return .array(elements.map { self.value($0) })
        case .dictionary(let entries): return .object(entries.mapValues { self.value($0) })
        case .reference(let index): return reference(index).map { .init($0) } ?? .null
        // A place contains no restorable objects and no instances.
        case .object, .instance: return .null
        }
    }

    /// Returns a reference as the device knows it. Nil if it is left out because of its size.
    private mutating func reference(_ index: Int) -> Reference? {
        guard archived.references.indices.contains(index) else { return nil }
        let reference = archived.references[index]
        let size = reference.placeSize
        guard size <= room else {
            omitted += 1
            return nil
        }
        room -= size
        let (step, confidence) = resolution(of: reference)
        let role = Reference.Role(rawValue: reference.role.rawValue)
        return Reference(
            dataSource: reference.dataSource, role: Reference.Role.known.contains(role) ? role : .other,
            identifier: reference.element.identifier, aliases: reference.element.aliases,
            indexPath: reference.indexPath, step: step, confidence: confidence,
            ambiguous: reference.resolution?.isAmbiguous ?? false,
            neighbor: step == .pending ? reference.resolution?.neighbor : nil)
    }

    /// Returns the step and confidence of a reference. The service leaves a reference unchanged if the step is `exact`
    /// or `indexPath`, or if the app hasn't declared the data source.
    private func resolution(of reference: ModelReference) -> (Wire.ResolutionStep?, Double?) {
        guard app.dataSource(named: reference.dataSource) != nil else { return (nil, nil) }
        if let resolution = reference.resolution {
            let step = Wire.ResolutionStep(rawValue: resolution.step.rawValue)
            return Wire.ResolutionStep.known.contains(step) ? (step, resolution.confidence) : (nil, nil)
        }
        let isPosition =
            reference.element.identifier == nil && reference.element.aliases.isEmpty && reference.indexPath != nil
        return isPosition ? (.indexPath, 0.25) : (.exact, 1)
    }
}

extension ArchivedPlace {
    /// - Parameter bytes: the bytes of a stored archive, as they are stored or as they are served to a device.
    init(stored bytes: [UInt8]) throws(ServiceError) {
        do {
            // Rewritten references may make an archive longer than an upload may be.
            try self.init(reading: bytes, limits: .init(maximumByteCount: max(bytes.count, Limits.archive)))
        } catch {
            // The archive was readable when it was uploaded, so the stored bytes must be damaged.
            throw ServiceError(
                .storeFailed, "The store failed.", cause: "A stored archive is unreadable: \(error.message)")
        }
    }
}

extension ModelReference {
    /// The approximate size of the reference in JSON, in bytes.
    fileprivate var placeSize: Int {
        let identifiers = (element.identifier ?? "").utf8.count + (resolution?.neighbor ?? "").utf8.count
        return element.aliases.reduce(128 + dataSource.utf8.count + identifiers + 8 * (indexPath?.count ?? 0)) {
            $0 + 4 + $1.utf8.count
        }
    }
}

extension Wire.Value {
    /// The reference as a JSON object.
    fileprivate init(_ reference: PlaceReading.Reference) {
        var members: [String: Wire.Value] = [
            "dataSource": .string(reference.dataSource), "role": .string(reference.role.rawValue),
            "identifier": reference.identifier.map { .string($0) } ?? .null,
            "aliases": .array(reference.aliases.map { .string($0) }), "ambiguous": .boolean(reference.ambiguous),
        ]
        members["indexPath"] = reference.indexPath.map { .array($0.map { .integer(Int64($0)) }) }
        members["step"] = reference.step.map { .string($0.rawValue) }
        members["confidence"] = reference.confidence.map { .number($0) }
        members["neighbor"] = reference.neighbor.map { .string($0) }
        self = .object(members)
    }
}

extension Time {
    /// - Parameter seconds: a time in an archive, which is always between the years 1 and 9999.
    fileprivate init(secondsSince2001 seconds: Double) {
        let milliseconds = (seconds + 978_307_200) * 1000
        self.init(milliseconds: Int64(exactly: milliseconds.rounded()) ?? 0)
    }
}
