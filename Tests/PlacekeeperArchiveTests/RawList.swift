/// A binary property list from given bytes, valid or invalid. Its first object is at byte 8.
struct RawList {
    var objects: [[UInt8]]
    /// Overrides the offsets of the objects.
    var offsets: [UInt64]?
    var offsetWidth = 1
    var referenceWidth = 1
    /// Overrides the number of objects.
    var count: UInt64?
    var top: UInt64 = 0
    /// Overrides the offset of the offset table.
    var table: UInt64?
    /// The number of bytes between the offset table and the trailer.
    var gap = 0
    var header = Array("bplist00".utf8)

    init(_ first: [UInt8], _ others: [UInt8]...) { objects = [first] + others }

    init(_ objects: [[UInt8]] = [[0x09]], _ change: (inout RawList) -> Void = { _ in }) {
        self.objects = objects
        change(&self)
    }

    var bytes: [UInt8] {
        var file = header
        var places: [UInt64] = []
        for object in objects {
            places.append(UInt64(file.count))
            file += object
        }
        let end = UInt64(file.count)
        for place in offsets ?? places { file += Self.number(place, width: offsetWidth) }
        file += [UInt8](repeating: 0, count: gap)
        file += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
        for word in [count ?? UInt64(places.count), top, table ?? end] { file += Self.number(word, width: 8) }
        return file
    }

    static func number(_ number: UInt64, width: Int) -> [UInt8] {
        (0..<min(width, 8)).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    static func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }

    static func real(_ value: Double, marker: UInt8 = 0x23) -> [UInt8] { [marker] + number(value.bitPattern, width: 8) }

    /// Returns a property list of nested arrays. The outermost array is the first object, or the last if
    /// `innermostFirst`.
    static func nested(_ depth: Int, innermostFirst: Bool = false) -> RawList {
        var objects: [[UInt8]] = (1..<max(depth, 1)).map { [0xA1] + number(UInt64($0), width: 2) } + [[0xA0]]
        if innermostFirst {
            objects = [[0xA0]] + (0..<depth - 1).map { [0xA1] + number(UInt64($0), width: 2) }
        }
        return RawList(objects) {
            $0.offsetWidth = 2
            $0.referenceWidth = 2
            $0.top = innermostFirst ? UInt64(depth - 1) : 0
        }
    }
}
