/// Finds scalars that a writer already contains, by their encoded bytes.
///
/// Each table hashes with its own random seed: texts come from an app's users, who must not be able to choose texts
/// with equal hashes. For a number, `Hasher` would take longer than all other work.
struct ScalarTable: Sendable {
    private struct Slot {
        /// The hash of the scalar's bytes, or 0 in a free slot.
        var hash: UInt32
        /// The index of the scalar among the writer's entries.
        var object: UInt32
    }

    private var slots: [Slot]
    private var count = 0
    private let seed = UInt64.random(in: 0 ... .max)

    /// Creates an empty table that can hold `capacity` scalars before it grows.
    init(capacity: Int) {
        var size = 128
        while size < capacity * 2 { size *= 2 }
        slots = [Slot](repeating: Slot(hash: 0, object: 0), count: size)
    }

    /// Returns the index of the entry that already contains the bytes from `start` to the end. If there is none,
    /// returns nil and records the bytes for the next entry, which the caller must then add.
    mutating func insert(
        start: Int, in bytes: [UInt8], _ entries: [BinaryPropertyListWriter.Entry]
    ) -> UInt32? {
        if count * 2 > slots.count { grow() }
        return bytes.withUnsafeBytes { buffer in
            let scalar = UnsafeRawBufferPointer(rebasing: buffer[start...])
            let hash = hash(of: scalar)
            var index = Int(hash >> 1) & (slots.count - 1)
            while slots[index].hash != 0 {
                if slots[index].hash == hash {
                    let entry = entries[Int(slots[index].object)]
                    let known = buffer[Int(entry.start)..<Int(entry.start + entry.count)]
                    if Self.isEqual(UnsafeRawBufferPointer(rebasing: known), scalar) { return slots[index].object }
                }
                index = (index + 1) & (slots.count - 1)
            }
            slots[index] = Slot(hash: hash, object: UInt32(entries.count))
            count += 1
            return nil
        }
    }

    private func hash(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash = seed ^ UInt64(bytes.count)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            var word: UInt64 = 0
            if left >= 8 {
                word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            } else {
                for place in 0..<left { word = word << 8 | UInt64(bytes[index + place]) }
            }
            let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low ^ seed
            index += 8
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32) | 1
    }

    private static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        var index = 0
        while index + 8 <= left.count {
            if left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            {
                return false
            }
            index += 8
        }
        while index < left.count {
            if left[index] != right[index] { return false }
            index += 1
        }
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(hash: 0, object: 0), count: old.count * 2)
        for slot in old where slot.hash != 0 {
            var index = Int(slot.hash >> 1) & (slots.count - 1)
            while slots[index].hash != 0 { index = (index + 1) & (slots.count - 1) }
            slots[index] = slot
        }
    }
}
