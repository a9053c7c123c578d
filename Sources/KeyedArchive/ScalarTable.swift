/// Finds scalars that were added before, by their encoded bytes.
///
/// Hashes have the process's own seed, as texts come from an app's users.
struct ScalarTable: Sendable {
    private struct Slot {
        /// 0 where free.
        var hash: UInt32
        /// By its place among the writer's entries.
        var object: UInt32
    }

    private var slots = [Slot](repeating: Slot(hash: 0, object: 0), count: 128)
    private var count = 0

    /// The entry that the bytes from `start` on are already; nil when they are new, and then they are the next entry.
    mutating func insert(
        start: Int, in bytes: [UInt8], _ entries: [BinaryPropertyListWriter.Entry]
    ) -> UInt32? {
        if count * 2 > slots.count { grow() }
        return bytes.withUnsafeBytes { buffer in
            let scalar = UnsafeRawBufferPointer(rebasing: buffer[start...])
            var hasher = Hasher()
            hasher.combine(bytes: scalar)
            let hash = UInt32(truncatingIfNeeded: hasher.finalize()) | 1
            var index = Int(hash >> 1) & (slots.count - 1)
            while slots[index].hash != 0 {
                if slots[index].hash == hash {
                    let entry = entries[Int(slots[index].object)]
                    let known = buffer[Int(entry.start)..<Int(entry.start + entry.count)]
                    if known.elementsEqual(scalar) { return slots[index].object }
                }
                index = (index + 1) & (slots.count - 1)
            }
            slots[index] = Slot(hash: hash, object: UInt32(entries.count))
            count += 1
            return nil
        }
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
