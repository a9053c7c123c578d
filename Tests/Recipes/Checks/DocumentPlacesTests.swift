import Foundation
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import Testing

@MainActor
struct DocumentPlacesTests {
    private let report = TextDocument(id: UUID(), title: "Report", paragraphs: ["a", "b", "c"])
    private let letter = TextDocument(id: UUID(), title: "Letter", paragraphs: ["a", "b", "c"])

    @Test func opensEachDocumentAtItsParagraph() async throws {
        let devices = try await TwoDevices()
        try await leave([(report, "c"), (letter, "b")], on: devices)
        for (document, paragraph) in [(report, "c"), (letter, "b")] {
            let window = DocumentWindow(document, devices.pad.placekeeper, on: devices.pad.options.device)
            await window.place.launch()
            #expect(window.paragraph == paragraph)
        }
        // The list of recent documents shows the titles.
        let places = try await devices.pad.placekeeper.places()
        #expect(Set(places.flatMap(\.titles)) == ["Report", "Letter"])
    }

    @Test func returnsToTheParagraphThatThePersonScrolledTo() async throws {
        let devices = try await TwoDevices()
        try await leave([(report, "c")], on: devices)
        for paragraph in ["b", "a"] {
            let window = DocumentWindow(report, devices.pad.placekeeper, on: devices.pad.options.device)
            await window.place.launch()
            window.personDidMove(to: paragraph)
            try await devices.pad.placekeeper.flush()
            devices.pad.kill()
            let next = DocumentWindow(report, devices.pad.placekeeper, on: devices.pad.options.device)
            await next.place.launch()
            #expect(next.paragraph == paragraph)
        }
    }

    @Test func opensTheBeginningIfTheParagraphWasDeleted() async throws {
        let devices = try await TwoDevices()
        try await leave([(report, "c")], on: devices)
        var shorter = report
        shorter.paragraphs = ["a", "b"]
        let window = DocumentWindow(shorter, devices.pad.placekeeper, on: devices.pad.options.device)
        await window.place.launch()
        #expect(window.paragraph == nil)
    }

    private func leave(_ documents: [(TextDocument, String)], on devices: TwoDevices) async throws {
        for (document, paragraph) in documents {
            let window = DocumentWindow(document, devices.phone.placekeeper, on: devices.phone.options.device)
            await window.place.launch()
            window.personDidMove(to: paragraph)
        }
        try await devices.phone.placekeeper.flush()
    }
}
