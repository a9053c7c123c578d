extension StateArchive {
    /// Returns the archive's bytes. Equal archives have equal bytes.
    /// - Throws: An error for a date out of range, an index beyond the end of a table, a duplicate path, more than
    ///   eight neighbors on a side, a place with too many steps, a step that is too large, a progress value outside 0
    ///   to 1, an invalid web address, state nested more than 128 deep, a text with more than 256 combining marks in a
    ///   row, a place that contains an object or instance, or more than 64 MiB of keys in the state. A non-ASCII key
    ///   counts as eight times its size.
    public func encoded() throws(ArchiveWritingError) -> [UInt8] {
        var writer = StateArchiveWriter(self)
        try writer.write()
        return writer.builder.finish()
    }
}

/// Writes the content of an archive to a builder.
struct StateArchiveWriter {
    let archive: StateArchive
    var builder: KeyedArchiveBuilder
    /// For each number of keys, the keys of the last written state dictionary of that size. Objects of the same class
    /// usually have the same keys, so these can usually be reused.
    var shapes: [Int: StateShape] = [:]
    var keys = KeyBudget()

    typealias UID = KeyedArchiveBuilder.UID

    init(_ archive: StateArchive) {
        let valueCount = archive.objects.reduce(0) { $0 + $1.state.count + 4 }
        self.init(archive, continuing: KeyedArchiveBuilder(expectedCount: valueCount))
    }

    init(_ archive: StateArchive, continuing builder: KeyedArchiveBuilder) {
        self.archive = archive
        self.builder = builder
    }

    mutating func write() throws(ArchiveWritingError) {
        try writeContext()
        if !archive.application.isEmpty {
            set(try state(archive.application, in: "application", depth: 1), for: ArchiveKey.application)
        }
        try checkTexts(in: "application")
        try writeObjects()
        if !archive.instances.isEmpty { try writeInstances() }
        if !archive.references.isEmpty { try writeReferences() }
        if let place = archive.place { try write(place) }
    }

    private mutating func set(_ object: UID, for key: StaticString) { builder.setTop(object, forKey: key.string) }

    private mutating func writeContext() throws(ArchiveWritingError) {
        set(builder.add(ArchiveKey.currentFormat), for: ArchiveKey.formatVersion)
        if let version = archive.bundleVersion { set(builder.add(version), for: ArchiveKey.bundleVersion) }
        if let idiom = archive.idiom { set(builder.add(idiom), for: ArchiveKey.idiom) }
        if let version = archive.systemVersion { set(builder.add(version), for: ArchiveKey.systemVersion) }
        if let version = archive.stateVersion { set(builder.add(version), for: ArchiveKey.stateVersion) }
        if let layout = archive.layout { set(builder.add(layout.rawValue), for: ArchiveKey.layout) }
        if archive.isPlaceOnly { set(builder.add(true), for: ArchiveKey.isPlaceOnly) }
        guard let timestamp = archive.timestamp else { return }
        set(try date(timestamp, in: "timestamp"), for: ArchiveKey.timestamp)
    }

    /// Throws if a string added since the last check contains too many combining marks in a row.
    private func checkTexts(in subject: String) throws(ArchiveWritingError) {
        guard !builder.hasLongCombiningRun else { throw ArchiveWritingError(.combiningRun, in: subject) }
    }

    mutating func date(_ seconds: Double, in subject: String) throws(ArchiveWritingError) -> UID {
        guard PropertyListDate.isValid(seconds) else { throw ArchiveWritingError(.dateRange, in: subject) }
        return builder.add(date: seconds)
    }
}

extension StateArchiveWriter {
    private mutating func writeObjects() throws(ArchiveWritingError) {
        var paths = Set<String>(minimumCapacity: archive.objects.count)
        var table: [UID] = []
        table.reserveCapacity(archive.objects.count)
        for object in archive.objects {
            guard paths.insert(object.path).inserted else { throw ArchiveWritingError(.objectTable, in: object.path) }
            var fields = Fields()
            append(builder.add(object.path), ArchiveKey.path, to: &fields)
            append(builder.add(object.kind.rawValue), ArchiveKey.kind, to: &fields)
            append(builder.add(object.className), ArchiveKey.className, to: &fields)
            append(object.restorationClass, ArchiveKey.restorationClass, to: &fields)
            append(object.storyboard, ArchiveKey.storyboard, to: &fields)
            append(object.storyboardIdentifier, ArchiveKey.storyboardIdentifier, to: &fields)
            if object.isRegistered { append(builder.add(true), ArchiveKey.isRegistered, to: &fields) }
            append(try state(object.state, in: object.path, depth: 1), ArchiveKey.state, to: &fields)
            try checkTexts(in: object.path)
            table.append(builder.addDictionary(keys: fields.keys, values: fields.values))
        }
        set(builder.addArray(table), for: ArchiveKey.objects)
    }

    private mutating func writeInstances() throws(ArchiveWritingError) {
        var table: [UID] = []
        for instance in archive.instances {
            var fields = Fields()
            append(builder.add(instance.className), ArchiveKey.className, to: &fields)
            append(try state(instance.state, in: instance.className, depth: 1), ArchiveKey.state, to: &fields)
            try checkTexts(in: instance.className)
            table.append(builder.addDictionary(keys: fields.keys, values: fields.values))
        }
        set(builder.addArray(table), for: ArchiveKey.instances)
    }

    private mutating func writeReferences() throws(ArchiveWritingError) {
        var table: [UID] = []
        for reference in archive.references {
            table.append(try add(reference))
            try checkTexts(in: reference.dataSource)
        }
        set(builder.addArray(table), for: ArchiveKey.references)
    }

    mutating func add(_ reference: ModelReference) throws(ArchiveWritingError) -> UID {
        let most = ModelReference.maximumNeighborCount
        guard reference.before.count <= most, reference.after.count <= most else {
            throw ArchiveWritingError(.referenceTable, in: reference.dataSource)
        }
        var fields = Fields()
        append(builder.add(reference.dataSource), ArchiveKey.dataSource, to: &fields)
        append(reference.element, to: &fields)
        append(builder.add(reference.role.rawValue), ArchiveKey.role, to: &fields)
        if let indexPath = reference.indexPath { append(integers(indexPath), ArchiveKey.indexPath, to: &fields) }
        append(reference.before, ArchiveKey.before, to: &fields)
        append(reference.after, ArchiveKey.after, to: &fields)
        if let resolution = reference.resolution {
            append(builder.add(resolution.step.rawValue), ArchiveKey.resolutionStep, to: &fields)
            append(builder.add(resolution.confidence), ArchiveKey.confidence, to: &fields)
            if resolution.isAmbiguous { append(builder.add(true), ArchiveKey.isAmbiguous, to: &fields) }
            append(resolution.neighbor, ArchiveKey.neighbor, to: &fields)
        }
        return builder.addDictionary(keys: fields.keys, values: fields.values)
    }

    private mutating func write(_ place: Place) throws(ArchiveWritingError) {
        guard place.steps.count <= Place.maximumStepCount else { throw ArchiveWritingError(.place, in: "place") }
        if let address = place.webAddress {
            guard Place.isWebAddress(address) else { throw ArchiveWritingError(.place, in: "webAddress") }
            set(builder.add(address), for: ArchiveKey.webAddress)
        }
        var table: [UID] = []
        var room = Place.maximumSize
        for step in place.steps {
            var fields = Fields()
            // `state` checks the depth of the parameters, so it must come before `size`, which is recursive.
            let otherKeys = keys
            keys = KeyBudget(bytesOfText: Place.maximumSize)
            let parameters = try state(step.parameters, in: step.screen, depth: 1, isPlace: true)
            keys = otherKeys
            room -= step.size
            guard room >= 0 else { throw ArchiveWritingError(.placeSize, in: step.screen) }
            guard step.references.allSatisfy(archive.references.indices.contains) else {
                throw ArchiveWritingError(.place, in: step.screen)
            }
            guard step.progress.map(Place.Step.isProgress) != false else {
                throw ArchiveWritingError(.place, in: step.screen)
            }
            append(builder.add(step.screen), ArchiveKey.screen, to: &fields)
            append(step.title, ArchiveKey.title, to: &fields)
            if !step.references.isEmpty { append(integers(step.references), ArchiveKey.stepReferences, to: &fields) }
            if !step.parameters.isEmpty { append(parameters, ArchiveKey.parameters, to: &fields) }
            if let progress = step.progress { append(builder.add(progress), ArchiveKey.progress, to: &fields) }
            try checkTexts(in: step.screen)
            table.append(builder.addDictionary(keys: fields.keys, values: fields.values))
        }
        set(builder.addArray(table), for: ArchiveKey.place)
    }
}

extension StateArchiveWriter {
    struct Fields {
        var keys: [UID] = []
        var values: [UID] = []
    }

    private mutating func append(_ value: UID, _ key: StaticString, to fields: inout Fields) {
        fields.keys.append(builder.add(key.string))
        fields.values.append(value)
    }

    private mutating func append(_ text: String?, _ key: StaticString, to fields: inout Fields) {
        if let text { append(builder.add(text), key, to: &fields) }
    }

    private mutating func append(_ element: ModelReference.Element, to fields: inout Fields) {
        append(element.identifier, ArchiveKey.identifier, to: &fields)
        if !element.aliases.isEmpty { append(element.aliases, ArchiveKey.aliases, to: &fields) }
        if let shared = element.sharedAliases { append(shared, ArchiveKey.sharedAliases, to: &fields) }
    }

    private mutating func append(_ texts: [String], _ key: StaticString, to fields: inout Fields) {
        var elements: [UID] = []
        for text in texts { elements.append(builder.add(text)) }
        append(builder.addArray(elements), key, to: &fields)
    }

    private mutating func append(
        _ neighbors: [ModelReference.Element], _ key: StaticString, to fields: inout Fields
    ) {
        guard !neighbors.isEmpty else { return }
        var table: [UID] = []
        for neighbor in neighbors {
            var names = Fields()
            append(neighbor, to: &names)
            table.append(builder.addDictionary(keys: names.keys, values: names.values))
        }
        append(builder.addArray(table), key, to: &fields)
    }

    private mutating func integers(_ values: [Int]) -> UID {
        var elements: [UID] = []
        for value in values { elements.append(builder.add(Int64(value))) }
        return builder.addArray(elements)
    }
}
