import Foundation
import Testing
import UIKit

/// The name editor of S2, written for UIKit, with nothing of Placekeeper in it.
@MainActor
struct NameEditorTests {
    private func people(without gone: String? = nil) -> [Person] {
        (0..<40).map { Person(userID: "user-\($0)", firstName: "First \($0)", lastName: "Last \($0)") }
            .filter { $0.userID != gone }
    }

    private func launch(_ device: Device, _ people: [Person]? = nil) async throws -> Launch<NameEditorSceneDelegate> {
        try await device.launch(NameEditorAppDelegate(people: people ?? self.people())) { NameEditorSceneDelegate($0) }
    }

    @Test(
        "seed 90 · S2's name editor: user, unsaved text, active field and selected text come back", .tags(.seed),
        arguments: Journey.allCases)
    func restoresUnsavedText(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { app in
            app.open("user-23")
            app.type("Lovelace", in: \.lastNameField, selecting: NSRange(location: 2, length: 3))
        }
        let left = try await first.leave()

        let second = try await launch(devices.second)
        #expect(second.seen == left)
        #expect(second.seen.suffix(2) == ["field First 23", "field Lovelace, editing 2 3"])
    }

    @Test("seed 90 · S2's name editor: without an active field the stored name is shown", .tags(.seed))
    func showsStoredNameWithoutActiveField() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { app in
            app.open("user-23")
            app.type("Lovelace", in: \.lastNameField, selecting: NSRange(location: 0, length: 0))
            app.editor?.lastNameField.resignFirstResponder()
        }
        _ = try await first.leave()

        let second = try await launch(devices.second)
        #expect(second.seen.suffix(2) == ["field First 23", "field Last 23"])
    }

    @Test("seed 90 · S2's name editor: a deleted user isn't edited", .tags(.seed))
    func opensNoEditorOfDeletedUser() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { $0.open("user-3") }
        _ = try await first.leave()

        let second = try await launch(devices.second, people(without: "user-3"))
        #expect(second.seen.contains("stack People"))
        #expect(second.play { $0.editor } == nil)
    }

    @Test(
        "seed 90 · S2's name editor: the tab with its selected option comes back, and the editor in the other tab",
        .tags(.seed), arguments: Journey.allCases)
    func restoresOptionsAndHiddenTab(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { app in
            app.open("user-30")
            app.chooseOption(section: 1, row: 1)
        }
        let left = try await first.leave()
        #expect(left.contains("selected row Descending"))

        let second = try await launch(devices.second)
        #expect(second.seen == left)
        second.play { $0.selectPeople() }
        #expect(second.seen.contains("stack People / First 30 Last 30"))
    }
}
