extension BinaryPropertyListWriter {
    /// Creates a writer that contains unchanged copies of a list's objects. The caller can add more objects.
    ///
    /// - Parameter without: Objects to leave out. No copied object may refer to these objects. Each object that is left
    ///   out still takes one byte in the file, so that the references to the other objects stay correct.
    init(copying list: PropertyListView, without dropped: [UInt32]) {
        let count = list.geometry.objectCount
        self.init(expectedCount: Int(count))
        // A writer puts the last added object first in the file. Copying backwards therefore keeps the order of the
        // objects.
        for object in (0..<count).reversed() {
            if dropped.contains(object) { copyNothing() } else { copy(object, of: list, count) }
        }
    }

    /// Returns the writer's reference to an object of the copied list.
    func reference(copying object: UInt32) -> Reference { Reference(index: copiedCount - 1 - object) }
}

extension PropertyListView {
    /// Calls a closure once for each reference of each container in the file, with the object that the reference names.
    func forEachReference(_ body: (UInt32) -> Void) {
        for object in 0..<geometry.objectCount {
            let offset = offset(of: object)
            let kind = byte(at: offset) >> 4
            guard kind == 0xA || kind == 0xD else { continue }
            let (start, count) = extent(at: offset)
            for index in 0..<(kind == 0xA ? count : 2 * count) {
                body(reference(at: start + index * geometry.referenceWidth))
            }
        }
    }

    /// Returns the length in bytes of an object that is not a container.
    func scalarLength(at offset: Int) -> Int {
        let marker = byte(at: offset)
        switch marker >> 4 {
        case 0x0: return 1
        case 0x1, 0x2, 0x3: return 1 + 1 << Int(marker & 0xF)
        case 0x8: return 2 + Int(marker & 0xF)
        default:
            let (start, count) = extent(at: offset)
            return start - offset + (marker >> 4 == 0x6 ? 2 * count : count)
        }
    }
}
