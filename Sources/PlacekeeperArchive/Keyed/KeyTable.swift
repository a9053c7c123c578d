/// Finds duplicate keys in a dictionary. Two string objects with the same text are the same key.
///
/// Each text gets a number when it is first used as a key. After that, checking the same key object takes only two
/// loads, however long the text is. Texts are hashed with the process's random seed, so a file cannot force collisions.
struct KeyTable: ~Copyable {
    /// For each object, the number of its text, or 0 if it has not been used as a key.
    private let numbers: UnsafeMutablePointer<UInt32>
    /// For each number, the last dictionary that contained the text as a key.
    private var lastDictionaries: [UInt32] = [0]
    /// For each number, an object with the text.
    private var objects: [UInt32] = [0]
    /// A hash table of the numbers, with open addressing. Free slots contain 0. The size is a power of two.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var dictionary: UInt32 = 0

    init(objectCount: Int) {
        numbers = .allocate(capacity: objectCount)
        numbers.initialize(repeating: 0, count: objectCount)
    }

    deinit { numbers.deallocate() }

    mutating func beginDictionary() { dictionary += 1 }

    /// Adds a key, which must be a valid string, to the current dictionary. Returns false if the dictionary already
    /// contains it.
    @inline(__always)
    mutating func insert(_ key: UInt32, in view: PropertyListView) -> Bool {
        var number = numbers[Int(key)]
        if number == 0 {
            number = intern(key, in: view)
            numbers[Int(key)] = number
        }
        if lastDictionaries[Int(number)] == dictionary { return false }
        lastDictionaries[Int(number)] = dictionary
        return true
    }

    private mutating func intern(_ key: UInt32, in view: PropertyListView) -> UInt32 {
        if objects.count * 2 > slots.count { grow(in: view) }
        let text = view.string(key)
        var slot = view.hash(of: text) & (slots.count - 1)
        while slots[slot] != 0 {
            if view.isEqual(text, view.string(objects[Int(slots[slot])])) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = UInt32(objects.count)
        slots[slot] = number
        objects.append(key)
        lastDictionaries.append(0)
        return number
    }

    private mutating func grow(in view: PropertyListView) {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for number in 1..<objects.count {
            var slot = view.hash(of: view.string(objects[number])) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number)
        }
    }
}

extension PropertyListView {
    /// Returns the location of a string's text. The object must be a valid string.
    func string(_ object: UInt32) -> BinaryPropertyList.Text {
        let offset = offset(of: object)
        let (start, count) = extent(at: offset)
        return BinaryPropertyList.Text(start: start, count: count, isUTF16: byte(at: offset) >> 4 == 6)
    }

    @inline(__always)
    func unit(_ index: Int, of text: BinaryPropertyList.Text) -> UInt16 {
        text.isUTF16
            ? UInt16(bigEndian: base.loadUnaligned(fromByteOffset: text.start + 2 * index, as: UInt16.self))
            : UInt16(byte(at: text.start + index))
    }

    /// Returns a hash of the text's code units, the same for its ASCII and UTF-16 forms.
    func hash(of text: BinaryPropertyList.Text) -> Int {
        guard text.isUTF16 else {
            return Self.hash(UnsafeRawBufferPointer(start: base + text.start, count: text.count))
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { bytes in
            var index = 0
            while index < text.count, let byte = UInt8(exactly: unit(index, of: text)), byte < 0x80 {
                bytes.initializeElement(at: index, to: byte)
                index += 1
            }
            // If the whole text is ASCII, hash its ASCII form.
            return index == text.count
                ? Self.hash(UnsafeRawBufferPointer(bytes))
                : Self.hash(UnsafeRawBufferPointer(start: base + text.start, count: 2 * text.count))
        }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return hasher.finalize()
    }

    func isEqual(_ left: BinaryPropertyList.Text, _ right: BinaryPropertyList.Text) -> Bool {
        guard left.count == right.count else { return false }
        return (0..<left.count).allSatisfy { unit($0, of: left) == unit($0, of: right) }
    }
}
