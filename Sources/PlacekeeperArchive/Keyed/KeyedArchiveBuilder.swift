/// Writes a keyed archive in the form of `NSKeyedArchiver`. Only property list classes are used, so every keyed
/// unarchiver can read it. Equal strings, numbers and data are written once. The time is proportional to the size of
/// the added values.
public struct KeyedArchiveBuilder: Sendable {
    /// An object of this builder, as its index in `$objects`.
    public struct UID: Sendable, Hashable {
        /// The index.
        public let rawValue: UInt32
    }

    private typealias Reference = BinaryPropertyListWriter.Reference

    private var writer: BinaryPropertyListWriter
    private var objects: [Reference] = []
    /// The UID of each of the writer's references, or 0 if it has none yet. No added value has UID 0, which belongs to
    /// `$null`.
    private var uids: [UInt32] = []
    private var classes: [String: Reference] = [:]
    private var topKeys: [Reference] = []
    private var topValues: [Reference] = []
    private var arrayClass: Reference?
    private var dictionaryClass: Reference?
    private let arrayKeys: [Reference]
    private let dictionaryKeys: [Reference]
    private let classKey: Reference
    private let timeKey: Reference

    /// Creates a builder whose only object is `$null`.
    public init() { self.init(expectedCount: 0) }

    /// Creates a builder with room for `expectedCount` objects.
    init(expectedCount: Int) {
        writer = BinaryPropertyListWriter(expectedCount: expectedCount * 2)
        classKey = writer.add("$class")
        let (keysKey, objectsKey) = (writer.add("NS.keys"), writer.add("NS.objects"))
        timeKey = writer.add("NS.time")
        arrayKeys = [objectsKey, classKey]
        dictionaryKeys = [keysKey, objectsKey, classKey]
        objects.reserveCapacity(expectedCount)
        uids.reserveCapacity(expectedCount)
        objects.append(writer.add("$null"))
    }

    /// Creates a builder that adds objects to an existing archive, whose objects keep their UIDs and do not change. A
    /// value that is already in the archive is added again as a new object. The top level keeps its entries, except
    /// `key`, which the caller can set again.
    init(continuing archive: KeyedView, freeing key: StaticString) {
        let list = archive.list
        let frame = archive.frame
        var copy = BinaryPropertyListWriter(copying: list, without: archive.frameObjects)
        classKey = copy.add("$class")
        let (keysKey, objectsKey) = (copy.add("NS.keys"), copy.add("NS.objects"))
        timeKey = copy.add("NS.time")
        arrayKeys = [objectsKey, classKey]
        dictionaryKeys = [keysKey, objectsKey, classKey]
        writer = copy
        objects.reserveCapacity(frame.objects.count + 64)
        for index in 0..<frame.objects.count {
            objects.append(writer.reference(copying: list.element(index, of: frame.objects)))
        }
        for index in 0..<frame.top.count where !list.isString(list.key(index, of: frame.top), equalTo: key) {
            topKeys.append(writer.reference(copying: list.key(index, of: frame.top)))
            topValues.append(writer.reference(copying: list.value(index, of: frame.top)))
        }
    }

    /// Adds true or false.
    public mutating func add(_ value: Bool) -> UID { addValue(writer.add(value)) }
    /// Adds an integer.
    public mutating func add(_ value: Int64) -> UID { addValue(writer.add(value)) }
    /// Adds an unsigned integer.
    public mutating func add(_ value: UInt64) -> UID { addValue(writer.add(value)) }
    /// Adds a floating-point number.
    public mutating func add(_ value: Double) -> UID { addValue(writer.add(value)) }
    /// Adds bytes.
    public mutating func add(_ value: [UInt8]) -> UID { addValue(writer.add(value)) }

    /// Whether a string was added that readers reject, because it contains more than 256 combining marks in a row.
    var hasLongCombiningRun: Bool { writer.hasLongCombiningRun }

    /// Adds a string. Readers reject a string with more than 256 combining marks in a row.
    public mutating func add(_ value: String) -> UID {
        // In a keyed archive, the string `$null` means nil, unless it is a mutable string. So write a mutable string.
        if value == "$null" {
            return addRecord(
                keys: [writer.add("NS.string")], values: [writer.add(value)],
                className: "NSMutableString", superclasses: ["NSString"])
        }
        return addValue(writer.add(value))
    }

    /// Adds a date, in seconds since the start of 2001, UTC.
    public mutating func add(date seconds: Double) -> UID {
        addRecord(keys: [timeKey], values: [writer.add(seconds)], className: "NSDate")
    }

    /// Adds an array.
    public mutating func addArray(_ elements: [UID]) -> UID {
        let array = writer.addArray(uids: elements.lazy.map(\.rawValue))
        let record = arrayClass ?? classReference("NSArray", [])
        arrayClass = record
        return addObject(writer.addDictionary(keys: arrayKeys, values: [array, record]))
    }

    /// Adds a dictionary.
    /// - Precondition: There are as many keys as values.
    public mutating func addDictionary(keys: [UID], values: [UID]) -> UID {
        // Callers add each key with its value, or reuse the keys of a dictionary with the same keys. Input affects only
        // the number of pairs.
        precondition(keys.count == values.count, "The number of keys must equal the number of values")
        let keyArray = writer.addArray(uids: keys.lazy.map(\.rawValue))
        let valueArray = writer.addArray(uids: values.lazy.map(\.rawValue))
        let record = dictionaryClass ?? classReference("NSDictionary", [])
        dictionaryClass = record
        return addObject(writer.addDictionary(keys: dictionaryKeys, values: [keyArray, valueArray, record]))
    }

    /// Sets a key at the top level, where an unarchiver's `decodeObject(forKey:)` finds it.
    /// - Precondition: The key has not been set before.
    public mutating func setTop(_ object: UID, forKey key: String) {
        topKeys.append(writer.add(key))
        topValues.append(writer.add(uid: object.rawValue))
    }

    /// Returns the archive's bytes. The same calls in the same order always result in the same bytes.
    public consuming func finish() -> [UInt8] {
        let top = writer.addDictionary(keys: topKeys, values: topValues)
        let names = ["$version", "$archiver", "$top", "$objects"].map { writer.add($0) }
        let version = writer.add(100_000 as Int64)
        let archiver = writer.add("NSKeyedArchiver")
        let array = writer.addArray(objects)
        let root = writer.addDictionary(keys: names, values: [version, archiver, top, array])
        return writer.finish(top: root)
    }

    private mutating func addValue(_ value: Reference) -> UID {
        let index = Int(value.index)
        while uids.count <= index { uids.append(0) }
        if uids[index] != 0 { return UID(rawValue: uids[index]) }
        let uid = addObject(value)
        uids[index] = uid.rawValue
        return uid
    }

    private mutating func addObject(_ object: Reference) -> UID {
        objects.append(object)
        return UID(rawValue: UInt32(objects.count - 1))
    }

    private mutating func addRecord(
        keys: [Reference], values: [Reference], className: String, superclasses: [String] = []
    ) -> UID {
        let classRecord = classReference(className, superclasses)
        return addObject(writer.addDictionary(keys: keys + [classKey], values: values + [classRecord]))
    }

    private mutating func classReference(_ name: String, _ superclasses: [String]) -> Reference {
        if let known = classes[name] { return known }
        let names = ([name] + superclasses + ["NSObject"]).map { writer.add($0) }
        let record = writer.addDictionary(
            keys: [writer.add("$classname"), writer.add("$classes")], values: [names[0], writer.addArray(names)])
        let reference = writer.add(uid: addObject(record).rawValue)
        classes[name] = reference
        return reference
    }
}
