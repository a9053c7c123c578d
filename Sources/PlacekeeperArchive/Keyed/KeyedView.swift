/// A valid keyed archive in memory.
struct KeyedView {
    let list: PropertyListView
    let frame: Frame

    /// The locations of `$top` and `$objects`.
    struct Frame: Sendable {
        var top: BinaryPropertyList.Entries
        var objects: BinaryPropertyList.Elements
    }

    /// The root, `$top` and `$objects`. Empty if any other object in the file refers to one of them.
    var frameObjects: [UInt32] {
        let root = list.geometry.top
        guard let entries = list.dictionary(root), let top = list.value(for: "$top", in: entries),
            let objects = list.value(for: "$objects", in: entries)
        else { return [] }
        var uses = [root: 0, top: 0, objects: 0]
        list.forEachReference { uses[$0]? += 1 }
        return uses == [root: 0, top: 1, objects: 1] ? [root, top, objects] : []
    }

    /// Returns the object that a UID refers to. Any other object is returned as it is.
    @inline(__always)
    func resolve(_ object: UInt32) -> UInt32 {
        let offset = list.offset(of: object)
        let marker = list.byte(at: offset)
        guard marker >> 4 == 0x8 else { return object }
        return list.element(Int(list.number(at: offset + 1, width: Int(marker & 0xF) + 1)), of: frame.objects)
    }

    /// Returns the value under a key of `$top`. If it is a UID, returns the object that it refers to. `nil` if the key
    /// is missing or its value is nil.
    func top(_ key: StaticString) -> UInt32? {
        guard let value = list.value(for: key, in: frame.top) else { return nil }
        return nonNil(value)
    }

    /// Returns the value under a key of an encoded dictionary. `nil` if the key is missing or its value is nil.
    func value(for key: StaticString, in dictionary: Dictionary) -> UInt32? {
        for index in 0..<dictionary.keys.count
        where list.isString(resolve(list.element(index, of: dictionary.keys)), equalTo: key) {
            return nonNil(list.element(index, of: dictionary.values))
        }
        return nil
    }

    /// Returns an object, or the object that a UID refers to. `nil` if that is `$null`.
    func nonNil(_ object: UInt32) -> UInt32? {
        let resolved = resolve(object)
        return resolved != object && list.isString(resolved, equalTo: "$null") ? nil : resolved
    }
}

extension KeyedView {
    /// The keys and values of an encoded dictionary, equal in number.
    struct Dictionary {
        var keys: BinaryPropertyList.Elements
        var values: BinaryPropertyList.Elements
    }

    /// Returns the keys and values of an encoded dictionary. `nil` for any other object.
    func dictionary(_ object: UInt32) -> Dictionary? {
        guard let record = list.dictionary(object), let keys = list.value(for: "NS.keys", in: record),
            let values = list.value(for: "NS.objects", in: record), let keyArray = list.array(keys),
            let valueArray = list.array(values)
        else { return nil }
        return Dictionary(keys: keyArray, values: valueArray)
    }

    /// Returns the elements of an encoded array. Nil for any other object.
    func array(_ object: UInt32) -> BinaryPropertyList.Elements? {
        guard let record = list.dictionary(object), list.value(for: "NS.keys", in: record) == nil,
            let values = list.value(for: "NS.objects", in: record)
        else { return nil }
        return list.array(values)
    }

    /// Returns a string object, or the string inside an encoded mutable string. `nil` for any other object.
    func textObject(_ object: UInt32) -> UInt32? { scalar(object, under: "NS.string", types: 5...6) }

    /// Returns a data object, or the data inside encoded mutable data. `nil` for any other object.
    func dataObject(_ object: UInt32) -> UInt32? { scalar(object, under: "NS.data", types: 4...4) }

    /// Returns the text of a string or an encoded mutable string. `nil` for any other object.
    func text(_ object: UInt32) -> String? { textObject(object).map { list.text(list.string($0)) } }

    private func scalar(_ object: UInt32, under key: StaticString, types: ClosedRange<UInt8>) -> UInt32? {
        if types.contains(list.marker(of: object) >> 4) { return object }
        guard let record = list.dictionary(object), let value = list.value(for: key, in: record) else { return nil }
        let inner = resolve(value)
        return types.contains(list.marker(of: inner) >> 4) ? inner : nil
    }

    /// Returns the value of an integer, or of a floating-point number without a fraction. `nil` for any other object,
    /// or if the value does not fit in 64 bits.
    func integer(_ object: UInt32) -> Int64? {
        switch list.content(object) {
        case .integer(let value): value
        case .real(let value) where abs(value) < 0x1p63 && Double(Int64(value)) == value: Int64(value)
        default: nil
        }
    }

    /// Returns a date or an encoded date, as seconds since the start of 2001. `nil` for any other object, or if the
    /// date is outside the years 1 to 9999.
    func date(_ object: UInt32) -> Double? {
        if case .date(let seconds) = list.content(object) { return seconds }
        guard let record = list.dictionary(object), let time = list.value(for: "NS.time", in: record) else {
            return nil
        }
        let seconds: Double
        switch list.content(resolve(time)) {
        case .real(let value): seconds = value
        case .integer(let value): seconds = Double(value)
        default: return nil
        }
        return PropertyListDate.isValid(seconds) ? seconds : nil
    }

    /// Returns an object's class record, if it has one.
    func classRecord(_ object: UInt32) -> UInt32? {
        guard let record = list.dictionary(object) else { return nil }
        return list.value(for: "$class", in: record).map(resolve)
    }

    /// Returns the class name in a class record.
    func className(inRecord object: UInt32) -> String? {
        guard let record = list.dictionary(object), let name = list.value(for: "$classname", in: record) else {
            return nil
        }
        return text(name)
    }
}
