extension PropertyListValidator {
    /// The roles that a container was validated for. They replace the height in its mark. A container is validated at
    /// most once per role, however many objects share it.
    private struct Role: OptionSet {
        let rawValue: UInt8
        static let record = Role(rawValue: 1)
        static let classRecord = Role(rawValue: 2)
        static let classNames = Role(rawValue: 4)
        /// The lowest mark with roles, greater than every mark with a height.
        static let base: UInt8 = 0xC0
    }

    private func isKnown(_ object: UInt32, as role: Role) -> Bool {
        let mark = marks[Int(object)]
        return mark >= Role.base && Role(rawValue: mark).contains(role)
    }

    private func note(_ object: UInt32, as role: Role) {
        marks[Int(object)] = max(marks[Int(object)], Role.base) | role.rawValue
    }

    /// Validates that a valid property list is also a keyed archive: the entries of the root, all UIDs, the class
    /// records of all objects, and that encoded dictionaries have as many keys as values.
    mutating func validateKeyedArchive() throws(ArchiveError) -> KeyedView.Frame {
        let frame = try keyedFrame()
        guard view.geometry.greatestUID < UInt64(frame.objects.count) || !view.geometry.hasUIDs else {
            throw ArchiveError(.uidRange, at: view.geometry.greatestUIDOffset)
        }
        var names = KeyNames()
        for index in 0..<frame.objects.count {
            let object = view.element(index, of: frame.objects)
            guard let record = view.dictionary(object), !isKnown(object, as: .record) else { continue }
            meter.consume(record.count)
            try validateRecord(record, frame, &names)
            note(object, as: .record)
        }
        return frame
    }

    private func keyedFrame() throws(ArchiveError) -> KeyedView.Frame {
        let top = view.geometry.top
        let offset = view.offset(of: top)
        guard let root = view.dictionary(top), let archiver = view.value(for: "$archiver", in: root) else {
            throw ArchiveError(.notKeyedArchive, at: offset)
        }
        guard view.isString(archiver, equalTo: "NSKeyedArchiver") else {
            throw ArchiveError(.archiver, at: view.offset(of: archiver))
        }
        guard let version = view.value(for: "$version", in: root) else { throw ArchiveError(.version, at: offset) }
        guard view.content(version) == .integer(100_000) else {
            throw ArchiveError(.version, at: view.offset(of: version))
        }
        guard let topValue = view.value(for: "$top", in: root) else { throw ArchiveError(.topKeys, at: offset) }
        guard let topKeys = view.dictionary(topValue) else {
            throw ArchiveError(.topKeys, at: view.offset(of: topValue))
        }
        guard let objectsValue = view.value(for: "$objects", in: root) else {
            throw ArchiveError(.objects, at: offset)
        }
        guard let objects = view.array(objectsValue) else {
            throw ArchiveError(.objects, at: view.offset(of: objectsValue))
        }
        return KeyedView.Frame(top: topKeys, objects: objects)
    }

    private func validateRecord(
        _ record: BinaryPropertyList.Entries, _ frame: KeyedView.Frame, _ names: inout KeyNames
    ) throws(ArchiveError) {
        var keys: UInt32?
        var values: UInt32?
        for index in 0..<record.count {
            let key = view.key(index, of: record)
            if names.classKey.is(key, in: view) {
                try validateClass(view.value(index, of: record), frame)
            } else if names.values.is(key, in: view) {
                values = view.value(index, of: record)
            } else if names.keys.is(key, in: view) {
                keys = view.value(index, of: record)
            }
        }
        guard let keys else { return }
        let count = values.flatMap { view.array($0)?.count }
        guard count != nil, view.array(keys)?.count == count else {
            throw ArchiveError(.keyCount, at: view.offset(of: keys))
        }
    }

    private func validateClass(_ value: UInt32, _ frame: KeyedView.Frame) throws(ArchiveError) {
        guard case .uid(let uid) = view.content(value) else {
            throw ArchiveError(.classRecord, at: view.offset(of: value))
        }
        let object = view.element(Int(uid), of: frame.objects)
        if isKnown(object, as: .classRecord) { return }
        guard let record = view.dictionary(object), let name = view.value(for: "$classname", in: record),
            marks[Int(name)] == Mark.string
        else { throw ArchiveError(.classRecord, at: view.offset(of: object)) }
        // If the app renamed a class (`setClassName(_:for:)`), the archiver writes only the new name, without
        // `$classes`.
        if let names = view.value(for: "$classes", in: record), !isArrayOfStrings(names) {
            throw ArchiveError(.classRecord, at: view.offset(of: object))
        }
        note(object, as: .classRecord)
    }

    private func isArrayOfStrings(_ object: UInt32) -> Bool {
        if isKnown(object, as: .classNames) { return true }
        guard let elements = view.array(object) else { return false }
        for index in 0..<elements.count where marks[Int(view.element(index, of: elements))] != Mark.string {
            return false
        }
        note(object, as: .classNames)
        return true
    }
}

/// The keys that validation looks for in every record.
private struct KeyNames {
    var classKey = KeyName("$class")
    var keys = KeyName("NS.keys")
    var values = KeyName("NS.objects")
}
