import PlacekeeperArchive

/// Writes property lists that `PropertyListValue.encoded()` refuses to write.
enum UncheckedPlist {
    /// Returns a keyed archive. `top` is an array of pairs, because a Swift dictionary would hash its keys.
    static func bytes(
        top: [(String, PropertyListValue)], objects: [PropertyListValue] = [.string("$null")]
    ) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let keys = top.map { writer.add($0.0) }
        let values = top.map { add($0.1, to: &writer) }
        let frame = ["$archiver", "$version", "$top", "$objects"].map { writer.add($0) }
        let archiver = writer.add("NSKeyedArchiver")
        let version = writer.add(100_000 as Int64)
        let entries = writer.addDictionary(keys: keys, values: values)
        let table = add(.array(objects), to: &writer)
        let root = writer.addDictionary(keys: frame, values: [archiver, version, entries, table])
        return writer.finish(top: root)
    }

    private static func add(
        _ value: PropertyListValue, to writer: inout BinaryPropertyListWriter
    ) -> BinaryPropertyListWriter.Reference {
        switch value {
        case .boolean(let value): return writer.add(value)
        case .integer(let value): return writer.add(value)
        case .unsigned(let value): return writer.add(value)
        case .real(let value): return writer.add(value)
        case .date(let seconds): return writer.add(date: seconds)
        case .data(let bytes): return writer.add(bytes)
        case .string(let text): return writer.add(text)
        case .uid(let number): return writer.add(uid: number)
        case .array(let values):
            let elements = values.map { add($0, to: &writer) }
            return writer.addArray(elements)
        case .dictionary(let entries):
            let keys = entries.keys.map { writer.add($0) }
            let values = entries.values.map { add($0, to: &writer) }
            return writer.addDictionary(keys: keys, values: values)
        }
    }
}
