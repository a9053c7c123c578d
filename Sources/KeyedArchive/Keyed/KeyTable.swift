/// Finds keys that a dictionary has twice, by their text and not just by their object.
///
/// Each text used as a key anywhere gets a number the first time; after that a key costs two loads, however long it is.
/// Texts are hashed with the process's own seed: a file cannot be made to collide.
struct KeyTable: ~Copyable {
    /// For each object its text's number; 0 when it has none yet.
    private let numbers: UnsafeMutablePointer<UInt32>
    /// For each number the dictionary that last had it, and an object with its text.
    private var lastDictionaries: [UInt32] = [0]
    private var objects: [UInt32] = [0]
    /// Open addressing by hash: numbers, 0 where free. A power of two in size.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var dictionary: UInt32 = 0

    init(objectCount: Int) {
        numbers = .allocate(capacity: objectCount)
        numbers.initialize(repeating: 0, count: objectCount)
    }

    deinit { numbers.deallocate() }

    mutating func beginDictionary() { dictionary += 1 }

    /// False when the dictionary has the key already. The object is a valid string.
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
    /// Where a string's text is; the object is a valid string.
    func string(_ object: UInt32) -> BinaryPropertyList.Text {
        let offset = offset(of: object)
        let (start, count) = extent(at: offset)
        return BinaryPropertyList.Text(start: start, count: count, isUTF16: byte(at: offset) >> 4 == 6)
    }

    @inline(__always)
    private func unit(_ index: Int, of text: BinaryPropertyList.Text) -> UInt16 {
        text.isUTF16
            ? UInt16(bigEndian: base.loadUnaligned(fromByteOffset: text.start + 2 * index, as: UInt16.self))
            : UInt16(byte(at: text.start + index))
    }

    /// Equal for texts of equal code units, in whichever encoding they are held.
    func hash(of text: BinaryPropertyList.Text) -> Int {
        var hasher = Hasher()
        var index = 0
        while index < text.count {
            var word: UInt64 = 0
            for unitIndex in index..<min(index + 4, text.count) {
                word = word << 16 | UInt64(unit(unitIndex, of: text))
            }
            hasher.combine(word)
            index += 4
        }
        hasher.combine(text.count)
        return hasher.finalize()
    }

    func isEqual(_ left: BinaryPropertyList.Text, _ right: BinaryPropertyList.Text) -> Bool {
        guard left.count == right.count else { return false }
        return (0..<left.count).allSatisfy { unit($0, of: left) == unit($0, of: right) }
    }
}
