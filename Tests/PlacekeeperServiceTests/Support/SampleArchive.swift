/// A keyed archive, encoded by hand so that the domain's tests do not depend on a writer.
struct SampleArchive {
    var idiom: Int?
    var bundleVersion: String?
    var systemVersion: String?
    var stateVersion: Int?
    var layout: String?
    /// The screen names of the place's steps.
    var place: [String] = []
    /// Any string. Archives with different strings have different bytes.
    var filler = ""

    var bytes: [UInt8] {
        var list = PropertyList()
        var top: [(String, PropertyList.Value)] = [("filler", .text(filler))]
        if let idiom { top.append(("UIApplicationStateRestorationUserInterfaceIdiom", .integer(idiom))) }
        if let bundleVersion { top.append(("UIApplicationStateRestorationBundleVersion", .text(bundleVersion))) }
        if let systemVersion { top.append(("UIApplicationStateRestorationSystemVersion", .text(systemVersion))) }
        if let stateVersion { top.append(("Placekeeper.stateVersion", .integer(stateVersion))) }
        if let layout { top.append(("Placekeeper.layout", .text(layout))) }
        top.append(("Placekeeper.formatVersion", .integer(1)))
        // Containers as plain records with NS.keys and NS.objects.
        let steps = place.map { screen in
            PropertyList.Value.dictionary([
                ("NS.keys", .array([.text("screen")])), ("NS.objects", .array([.text(screen)])),
            ])
        }
        if !place.isEmpty {
            top.append(("Placekeeper.place", .dictionary([("NS.objects", .array(steps))])))
        }
        let root = PropertyList.Value.dictionary([
            ("$archiver", .text("NSKeyedArchiver")), ("$version", .integer(100_000)), ("$top", .dictionary(top)),
            ("$objects", .array([.text("$null")])),
        ])
        return list.encode(root)
    }
}

/// A binary property list with the types that a sample needs.
private struct PropertyList {
    indirect enum Value {
        case integer(Int)
        case text(String)
        case array([Value])
        case dictionary([(String, Value)])
    }

    private var objects: [[UInt8]] = []

    mutating func encode(_ root: Value) -> [UInt8] {
        let top = add(root)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += Self.bigEndian(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 2]
        for number in [objects.count, top, table] { bytes += Self.bigEndian(number, 8) }
        return bytes
    }

    private mutating func add(_ value: Value) -> Int {
        let index = objects.count
        objects.append([])
        switch value {
        case .integer(let number): objects[index] = [0x13] + Self.bigEndian(number, 8)
        case .text(let text):
            let units = Array(text.utf16)
            objects[index] = Self.marker(0x60, units.count) + units.flatMap { Self.bigEndian(Int($0), 2) }
        case .array(let values):
            let references = values.map { add($0) }
            objects[index] = Self.marker(0xA0, references.count) + references.flatMap { Self.bigEndian($0, 2) }
        case .dictionary(let entries):
            let keys = entries.map { add(.text($0.0)) }
            let values = entries.map { add($0.1) }
            objects[index] = Self.marker(0xD0, keys.count) + (keys + values).flatMap { Self.bigEndian($0, 2) }
        }
        return index
    }

    private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0xF, 0x11] + bigEndian(count, 2)
    }

    private static func bigEndian(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> ((width - 1 - $0) * 8)) }
    }
}
