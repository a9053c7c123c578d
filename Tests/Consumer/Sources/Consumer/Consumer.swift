import KeyedArchive

@main
struct Consumer {
    static func main() throws {
        let place = Place([.init(screen: "albums", title: "Albums"), .init(screen: "photo", title: "Tram 28")])
        let bytes = try StateArchive(bundleVersion: "42", idiom: 0, place: place).encoded()

        // As in the README.
        let summary = try ArchiveSummary(reading: bytes)
        print(summary.idiom ?? -1, summary.bundleVersion ?? "no version", summary.objectCount)
        print(summary.placeTitles.joined(separator: " › "))
    }
}
