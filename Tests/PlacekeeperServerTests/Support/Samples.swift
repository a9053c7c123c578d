import KeyedArchive

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

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
}
