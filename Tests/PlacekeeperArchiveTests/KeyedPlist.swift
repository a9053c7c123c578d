import PlacekeeperArchive

/// A keyed archive from given parts, valid or invalid.
struct KeyedPlist {
    var archiver: PropertyListValue? = .string("NSKeyedArchiver")
    var version: PropertyListValue? = .integer(100_000)
    var top: [String: PropertyListValue]? = [:]
    var objects: [PropertyListValue]? = [.string("$null")]

    func bytes() throws -> [UInt8] {
        var root: [String: PropertyListValue] = [:]
        root["$archiver"] = archiver
        root["$version"] = version
        root["$top"] = top.map { .dictionary($0) }
        root["$objects"] = objects.map { .array($0) }
        return try PropertyListValue.dictionary(root).encoded()
    }
}

extension PropertyListValue {
    static func classRecord(_ name: String) -> Self {
        .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }
}
