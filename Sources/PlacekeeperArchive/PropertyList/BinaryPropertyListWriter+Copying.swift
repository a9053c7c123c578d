extension BinaryPropertyListWriter {
    /// Creates a writer with unchanged copies of a list's objects. More objects can be added.
    ///
    /// - Parameter without: Objects to leave out. No copied object may refer to them. Each still takes one byte in the
    ///   file, so that references to other objects stay valid.
    init(copying list: PropertyListView, without dropped: [UInt32]) {
        let count = list.geometry.objectCount
        self.init(expectedCount: Int(count))
        // A writer puts the last added object first in the file, so copying backward keeps the order.
        for object in (0..<count).reversed() {
            if dropped.contains(object) { copyNothing() } else { copy(object, of: list, count) }
        }
    }

    /// Returns the writer's reference to an object of the copied list.
    func reference(copying object: UInt32) -> Reference { Reference(index: copiedCount - 1 - object) }
}

extension PropertyListView {
    /// Calls a closure once for each reference in each container, with the object that it refers to.
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

    /// Returns the length in bytes of an object other than a container.
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
