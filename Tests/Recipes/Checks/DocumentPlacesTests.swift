import Foundation
import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct DocumentPlacesTests {
    private let report = TextDocument(id: UUID(), title: "Report", paragraphs: ["a", "b", "c"])
    private let letter = TextDocument(id: UUID(), title: "Letter", paragraphs: ["a", "b", "c"])

    @Test func opensEachDocumentAtItsParagraph() async throws {
        let devices = try await TwoDevices()
        try await leave([(report, "c"), (letter, "b")], on: devices)
        for (document, paragraph) in [(report, "c"), (letter, "b")] {
            #expect(await open(document, on: devices.pad).reading.paragraph == paragraph)
        }
        // The list of recent documents shows the titles.
        let places = try await devices.pad.placekeeper.places()
        #expect(Set(places.flatMap(\.titles)) == ["Report", "Letter"])
    }

    @Test func returnsToTheParagraphThatThePersonScrolledTo() async throws {
        let devices = try await TwoDevices()
        try await leave([(report, "c")], on: devices)
        for paragraph in ["b", "a"] {
            await open(report, on: devices.pad).userDidMove(to: paragraph)
            try await devices.pad.placekeeper.flush()
            devices.pad.kill()
            #expect(await open(report, on: devices.pad).reading.paragraph == paragraph)
        }
    }

    @Test func opensTheBeginningIfTheParagraphWasDeleted() async throws {
        let devices = try await TwoDevices()
        try await leave([(report, "c")], on: devices)
        var shorter = report
        shorter.paragraphs = ["a", "b"]
        #expect(await open(shorter, on: devices.pad).reading.paragraph == "")
    }

    private func open(_ document: TextDocument, on device: VirtualDevice) async -> DocumentWindow {
        let window = DocumentWindow(document, device.placekeeper)
        await window.open()
        return window
    }

    private func leave(_ documents: [(TextDocument, String)], on devices: TwoDevices) async throws {
        for (document, paragraph) in documents {
            await open(document, on: devices.phone).userDidMove(to: paragraph)
        }
        try await devices.phone.placekeeper.flush()
    }
}
