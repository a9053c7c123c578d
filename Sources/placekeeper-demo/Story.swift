import PlacekeeperClient

/// The story that `--script` plays. Each step checks the screen and the service's events.
@MainActor
struct Story {
    let stage: Stage
    /// Shows the screen after a step.
    let show: () async -> Void

    private struct Step {
        var title: String
        /// The text below the screen.
        var telling: String
        var play: @MainActor (Story) async throws -> Void
    }

    /// Plays all steps.
    /// - Throws: `Stage.Failure` with the failed step and expectation.
    func play() async throws {
        for (index, step) in Self.steps.enumerated() {
            stage.title = "\(index + 1)/\(Self.steps.count) \(step.title)"
            stage.footer = step.telling
            do { try await step.play(self) } catch {
                await show()
                let message = (error as? Stage.Failure)?.message ?? "\(error)"
                throw Stage.Failure(message: "step \(index + 1), \"\(step.title)\": \(message)")
            }
            await show()
        }
    }

    private var phone: Device { stage.phone }
    private var pad: Device { stage.pad }

    // MARK: - Expectations

    /// Waits for an event that contains every given text, ignoring the first `count` events.
    private func tells(_ texts: String..., after count: Int = 0) async throws {
        try await stage.wait(for: "the event \"\(texts.joined(separator: "…"))\"") {
            stage.events.dropFirst(count).contains { event in texts.allSatisfy { event.contains($0) } }
        }
    }

    /// Expects texts in a device's panel.
    private func shows(_ device: Device, _ texts: String...) throws {
        let panel = device === phone ? stage.screen.phone : stage.screen.pad
        let lines = panel.lines(width: 60)
        for text in texts where !lines.contains(where: { $0.contains(text) }) {
            throw Stage.Failure(message: "the \(device.name) does not show \"\(text)\"")
        }
    }

    private func waitForOffer(of place: String, on device: Device) async throws {
        try await stage.wait(for: "the offer of \(place) on the \(device.name)") {
            device.offer?.place.titles.last == place
        }
    }

    // MARK: - The steps

    private static let steps = [
        Step(title: "The phone", telling: "A person scrolls the album, and selects a photo.") { story in
            await story.phone.launch()
            story.phone.scroll(to: 10)
            for _ in 1...5 { story.phone.move(by: 1) }
            try story.shows(story.phone, "● nothing", "Nothing is stored yet.", "▸ Tram 28", "Café A Brasileira")
        },
        Step(title: "The photo", telling: "The person opens the photo, enlarges it, and puts the phone down.") {
            story in
            for _ in 1...2 { story.phone.enter() }
            await story.phone.leave()
            try await story.tells("phone saved Lisbon › Tram 28")
            try story.shows(story.phone, "Tram 28", "p15 on the phone", "zoom ×2")
        },
        Step(title: "The phone starts again", telling: "The same device and layout: the full state comes back.") {
            story in
            await story.phone.launch()
            try story.shows(story.phone, "● full", "Tram 28", "p15 on the phone", "zoom ×2")
            await story.phone.leave()
            try await story.tells("phone restored Lisbon › Tram 28")
        },
        Step(
            title: "The pad starts",
            telling: "Another layout: only the place. The photo p15 of the phone is p19 on the pad."
        ) { story in
            try await story.stage.link()
            story.stage.active = story.pad
            await story.pad.launch()
            try await story.tells("pad asked: got Lisbon › Tram 28 as a place, because", "its layout differs")
            try story.shows(story.pad, "● place", "▸ Tram 28", "p19 on the pad", "Café A Brasileira")
            await story.pad.leave()
            try await story.tells("pad restored Lisbon › Tram 28")
        },
        Step(title: "The person goes on with the pad", telling: "The phone offers the place of the pad.") { story in
            story.pad.open("Castle of São Jorge")
            await story.pad.leave()
            try await story.tells("pad saved Lisbon › Castle of São Jorge")
            try await story.waitForOffer(of: "Castle of São Jorge", on: story.phone)
            try story.shows(story.phone, "⇢ offer: Lisbon › Castle of São Jorge", "Tram 28")
        },
        Step(title: "The phone takes the offer", telling: "Nothing is replaced without asking. The person accepts.") {
            story in
            story.stage.active = story.phone
            await story.phone.takeOffer()
            try story.shows(story.phone, "● place", "Castle of São Jorge", "p19 on the phone")
            await story.phone.leave()
            try await story.tells("phone restored Lisbon › Castle of São Jorge")
        },
        Step(title: "The pad works offline", telling: "The pad opens a photo, and cannot send its state.") {
            story in
            story.stage.active = story.pad
            story.pad.isOnline = false
            story.pad.open("Peacock")
            await story.pad.leave()
            try story.shows(story.pad, "offline", "Peacock")
        },
        Step(title: "Meanwhile on the phone", telling: "Later, the person opens another photo on the phone.") { story in
            story.stage.active = story.phone
            story.phone.open("View from Graça")
            await story.phone.leave()
            try await story.tells("phone saved Lisbon › View from Graça")
        },
        Step(title: "The pad is back", telling: "Its state is older than the phone's, so it does not become the head.")
        { story in
            story.stage.active = story.pad
            story.pad.isOnline = true
            await story.pad.leave()
            try await story.tells("pad's upload of Lisbon › Peacock did not become the head: captured")
            try await story.waitForOffer(of: "View from Graça", on: story.pad)
            try story.shows(story.pad, "Peacock", "⇢ offer: Lisbon › View from Graça")
        },
        Step(title: "A build of the phone crashes", telling: "Build 5 crashes while it restores the state.") { story in
            story.stage.active = story.phone
            story.phone.build = .init(version: 5, crashes: true)
            await story.phone.launch()
            try story.shows(story.phone, "build 5", "The app does not run.", "crashed while it restored")
        },
        Step(
            title: "The phone starts again", telling: "The state is quarantined for build 5. An earlier one is offered."
        ) { story in
            let count = story.stage.events.count
            await story.phone.launch()
            try await story.tells(
                "phone crashed while it restored Lisbon › View from Graça", "quarantined", after: count)
            try await story.tells(
                "phone asked: got Lisbon › Peacock as a place. The newer", "quarantined", after: count)
            try story.shows(story.phone, "● nothing", "⇢ offer: Lisbon › Peacock")
        },
        Step(title: "The phone takes the earlier place", telling: "One step down: the place of an earlier state.") {
            story in
            await story.phone.takeOffer()
            try story.shows(story.phone, "● place", "Peacock", "p20 on the phone")
            await story.phone.leave()
            try await story.tells("phone restored Lisbon › Peacock")
        },
        Step(title: "The pad is not affected", telling: "On the pad, the state of the phone is not quarantined.") {
            story in
            story.stage.active = story.pad
            await story.pad.launch()
            try story.shows(story.pad, "● full", "Peacock", "⇢ offer: Lisbon › View from Graça")
            await story.pad.takeOffer()
            try story.shows(story.pad, "● place", "View from Graça", "p1 on the pad")
            await story.pad.leave()
            try await story.tells("pad restored Lisbon › View from Graça")
        },
        Step(title: "An old build of the pad", telling: "Build 3 gets the place of build 4, and not its full state.") {
            story in
            story.pad.build = .init(version: 3)
            let count = story.stage.events.count
            await story.pad.launch()
            try await story.tells("pad asked: got Lisbon › View from Graça as a place", after: count)
            try story.shows(story.pad, "● place", "View from Graça")
        },
    ]
}
