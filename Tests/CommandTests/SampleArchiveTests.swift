import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import placekeeper

@Suite struct SampleArchiveTests {
    @Test func writesTheContextIntoTheArchive() throws {
        let context = Context(
            idiom: .phone, layout: .compact, bundleVersion: "42", systemVersion: "17.4", stateVersion: 3)
        let sample = SampleArchive(context: context, savedAt: Timestamp(milliseconds: 1_700_000_000_125))
        let summary = try ArchiveSummary(reading: sample.encoded())
        #expect(summary.bundleVersion == "42")
        #expect(summary.idiom == 0)
        #expect(summary.layout == .compact)
        #expect(summary.stateVersion == 3)
        #expect(summary.systemVersion == "17.4")
        #expect(summary.timestamp.map(Timestamp.init(referenceSeconds:))?.text == "2023-11-14T22:13:20.125Z")
        #expect(summary.placeTitles == ["Albums", "Lisbon", "Tram 28"])
        #expect(summary.referenceCount == 2)
    }

    @Test func omitsMissingValuesAndThePlace() throws {
        let sample = SampleArchive(
            context: Context(idiom: .pad), savedAt: Timestamp(milliseconds: 0), hasPlace: false)
        let summary = try ArchiveSummary(reading: sample.encoded())
        #expect(summary.placeTitles.isEmpty)
        #expect(summary.bundleVersion == nil)
        #expect(summary.layout == nil)
    }
}
