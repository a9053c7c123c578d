import PlacekeeperArchive

enum Samples {
    /// Returns a phone's archive. The bytes differ for each number.
    static func archive(_ number: Int, place: String? = "Albums") throws -> [UInt8] {
        var archive = StateArchive(bundleVersion: "42", idiom: 0, systemVersion: "17.4")
        archive.application = ["number": .integer(Int64(number))]
        if let place { archive.place = Place([.init(screen: place, title: place)]) }
        return try archive.encoded()
    }

    /// Returns an archive without a context.
    static func silent() throws -> [UInt8] { try StateArchive().encoded() }

    /// A state that a look at an archive refuses, but an upload does not read.
    enum UnshowableState: Sendable {
        case malformed
        /// A few hundred bytes that name 10¹⁰ values.
        case expanding

        var reason: String {
            switch self {
            case .malformed: "state"
            case .expanding: "expansion"
            }
        }
    }

    /// Returns a phone's archive whose state cannot be shown.
    static func unshowable(_ state: UnshowableState = .malformed) throws -> [UInt8] {
        var objects: [PropertyListValue] = [
            .string("$null"), .integer(1), .integer(0), .string("42"),
            .dictionary(["$classname": .string("NSArray"), "$classes": .array([.string("NSArray")])]), .string("a"),
        ]
        if case .expanding = state {
            for _ in 0..<10 {
                let inner = PropertyListValue.uid(UInt32(objects.count - 1))
                objects.append(
                    .dictionary([
                        "$class": .uid(4), "NS.objects": .array([PropertyListValue](repeating: inner, count: 10)),
                    ]))
            }
            let innermost = PropertyListValue.uid(UInt32(objects.count - 1))
            objects.append(
                .dictionary([
                    "$class": .uid(4), "NS.keys": .array([.uid(5)]), "NS.objects": .array([innermost]),
                ]))
        }
        return try PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
            "$top": .dictionary([
                "Placekeeper.formatVersion": .uid(1), "UIApplicationStateRestorationUserInterfaceIdiom": .uid(2),
                "UIApplicationStateRestorationBundleVersion": .uid(3),
                "Placekeeper.application": .uid(UInt32(objects.count - 1)),
            ]),
        ]).encoded()
    }

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
}
