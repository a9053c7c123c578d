extension ArchiveInspection {
    /// The inspection as JSON text. Finite numbers and strings are JSON numbers and strings; infinities and NaN are
    /// JSON strings. Other values are objects: a date is `{"date": …}` (RFC 3339), data is `{"data": …}` in
    /// hexadecimal, a restorable object is `{"object": PATH}`, a model reference is `{"reference": N}`, an object with
    /// its own section is `{"numbered": N, "class": …}`, and a value that was left out is `{"elided": true}`.
    public var json: String { JSONText(tree { .shown($0) }).text }

    /// The inspection as JSON in UTF-8.
    ///
    /// When redacted, each value is replaced by `{"redacted": TYPE}`, with the number of elements as `count` for arrays
    /// and dictionaries. Dictionary keys in the saved state are left out too, because they may contain user data.
    /// Restoration paths, class names, the screens of the place, data source names, and the links between objects are
    /// kept.
    package func jsonBytes(isRedacted: Bool) -> [UInt8] {
        JSONText(tree { isRedacted ? .redacted($0) : .shown($0) }).bytes
    }

    private func tree(_ show: (Value) -> JSONText.Value) -> JSONText.Value {
        // The values of the place and the references are dictionaries with fixed keys.
        func fields(_ entries: [Entry]) -> JSONText.Value {
            .object(
                entries.map { entry in
                    guard case .dictionary(let fields) = entry.value else { return (entry.key, show(entry.value)) }
                    return (entry.key, .object(fields.map { ($0.key, show($0.value)) }))
                })
        }
        return .object([
            ("formatVersion", formatVersion.map { .number("\($0)") } ?? .null),
            ("restorationClasses", .object(restorationClasses.map { ($0.key, .shown($0.value)) })),
            ("topLevel", .object(topLevel.map { ($0.key, show($0.value)) })),
            ("place", fields(place)),
            ("references", fields(references)),
            ("objects", .array(sections.map { $0.json(show) })),
        ])
    }
}

extension ArchiveInspection.Section {
    fileprivate func json(_ show: (ArchiveInspection.Value) -> JSONText.Value) -> JSONText.Value {
        .object([
            ("kind", .string(kind)), ("name", .string(name)), ("class", .string(className)),
            ("storyboard", storyboard.map { .string($0) } ?? .null),
            ("storyboardIdentifier", storyboardIdentifier.map { .string($0) } ?? .null),
            ("registered", .boolean(isRegistered)),
            ("entries", .object(entries.map { ($0.key, show($0.value)) })),
        ])
    }
}

extension ArchiveInspection.Value {
    /// The value as JSON in UTF-8, or only its type.
    package func jsonBytes(isRedacted: Bool) -> [UInt8] { JSONText(isRedacted ? .redacted(self) : .shown(self)).bytes }
}

extension ArchiveInspection {
    /// Returns the largest values and their approximate sizes in bytes, largest first. They come from the top level,
    /// the place, the references, and the saved state of each object. Each key begins with the name of its section and
    /// a slash. Names are cut after 1,000 characters.
    package func sizes(limit: Int) -> [(key: String, byteCount: Int)] {
        var meter = WorkMeter()
        var blocks = [("Top Level", topLevel), ("Place", place), ("Model References", references)]
        blocks += sections.map { ($0.name, $0.entries) }
        // The largest values so far. Values of the same size keep their order.
        var sizes: [(byteCount: Int, block: Int, entry: Int)] = []
        for (block, (_, entries)) in blocks.enumerated() {
            for (entry, value) in entries.enumerated() {
                let byteCount = value.value.byteCount(&meter)
                if sizes.count == limit, byteCount <= sizes.last?.byteCount ?? .max { continue }
                let place = sizes.firstIndex { $0.byteCount < byteCount } ?? sizes.endIndex
                meter.consume(1)
                sizes.insert((byteCount, block, entry), at: place)
                if sizes.count > limit { sizes.removeLast() }
            }
        }
        func cut(_ name: String) -> String {
            let start = name.unicodeScalars.prefix(1000)
            return start.endIndex == name.endIndex ? name : String(start) + "…"
        }
        return sizes.map { size in
            let (name, entries) = blocks[size.block]
            return (cut(name) + "/" + cut(entries[size.entry].key), size.byteCount)
        }
    }
}

extension ArchiveInspection.Value {
    /// Returns the approximate number of bytes that the value takes in a binary property list, if it shares nothing
    /// with other values.
    fileprivate func byteCount(_ meter: inout WorkMeter) -> Int {
        meter.consume(1)
        switch self {
        case .null, .boolean: return 1
        case .integer, .unsigned, .real, .date: return 9
        case .string(let text): return 2 + text.utf8.count
        case .data(let bytes): return 2 + bytes.count
        case .array(let elements):
            var count = 2
            for element in elements { count += 2 + element.byteCount(&meter) }
            return count
        case .dictionary(let entries):
            var count = 2
            for entry in entries { count += 6 + entry.key.utf8.count + entry.value.byteCount(&meter) }
            return count
        case .object, .reference, .numbered, .elided: return 2
        }
    }
}
