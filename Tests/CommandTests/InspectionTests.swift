import KeyedArchive
import RestorationService
import Testing

@testable import placekeeper

@Suite struct InspectionTests {
    let archive: StateArchive

    init() throws {
        let context = Context(
            idiom: .phone, layout: .compact, bundleVersion: "42", systemVersion: "17.4", stateVersion: 3)
        let sample = SampleArchive(context: context, savedAt: Timestamp(milliseconds: 1_700_000_000_125))
        archive = try StateArchive(reading: sample.encoded())
    }

    @Test("seed 63 · classes first, then the top level, then each object with its kind, class and keys")
    func printsAsTheInspectionToolDoes() {
        let text = Inspection(archive).text
        let expected = """
            Restoration Classes
              Tabs/Albums/Photo... PhotoViewController

            Top Level
              Bundle Version... 42
              Idiom............ phone
              Layout........... compact
              Saved............ 2023-11-14T22:13:20.125Z
              State Version.... 3
              System Version... 17.4
              lastTab.......... 1

            [View Controller] Tabs (Class: UITabBarController)
              selected... Object Identifier Proxy: Tabs/Albums

            [View Controller] Tabs/Albums (Class: UINavigationController)
              children... 2 elements
                [0]... Object Identifier Proxy: Tabs/Albums/Album
                [1]... Object Identifier Proxy: Tabs/Albums/Photo

            [View Controller] Tabs/Albums/Album (Class: AlbumViewController)
              Storyboard... Main
              album........ Model Reference: 0

            """
        #expect(text.hasPrefix(expected), "\(text)")
        #expect(text.contains("[Restorable Object] Filter (Class: PhotoFilter, registered)"))
        #expect(text.contains("Place\n  1 albums... 1 entry\n    title... \"Albums\""))
    }

    @Test func noTextOfAnArchiveReachesTheTerminalAsItIs() {
        var archive = archive
        archive.bundleVersion = "\u{1B}[31m42"
        archive.objects = [
            RestorableObject(
                path: "a\u{1B}[2J", kind: .view, className: "B\nC", storyboard: "\u{7}",
                state: ["k\r": .string("v\u{1B}"), "p": .object(path: "x\u{9B}")])
        ]
        archive.references[0].dataSource = "d\u{1B}c"
        archive.place?.steps[0].screen = "s\u{8}"
        for section in Inspection(archive).sections {
            let lines = [section.title] + InspectedValue.lines(section.fields)
            for line in lines {
                let isHarmless = line.unicodeScalars.allSatisfy { !(0..<0x20 ~= $0.value || 0x7F...0x9F ~= $0.value) }
                #expect(isHarmless, "\(line.debugDescription)")
            }
        }
    }

    @Test func theSampleSaysWhatItWasMadeOn() throws {
        #expect(archive.bundleVersion == "42")
        #expect(archive.idiom == 0)
        #expect(archive.layout == .compact)
        #expect(archive.stateVersion == 3)
        #expect(archive.place?.steps.map(\.title) == ["Albums", "Lisbon", "Tram 28"])
        let bare = SampleArchive(
            context: Context(idiom: .pad), savedAt: Timestamp(milliseconds: 0), hasPlace: false)
        #expect(try StateArchive(reading: bare.encoded()).place == nil)
    }
}
