import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// The hint for an app that forgets to note the person's interactions.
struct InteractionTests {
    let phone: SimulatedDevice

    init() async throws { phone = SimulatedDevice(try await TestService()) }

    private var named: [String] {
        phone.step()
        return phone.last.status.scenesWithoutInteractions
    }

    /// Launches again, and saves a state without an interaction.
    private func look(_ text: String) async {
        _ = await phone.relaunch()
        await phone.saveAndFlush(text, .viewing)
    }

    @Test func namesASceneWhoseStatesAreAllGlances() async {
        await look("Lisbon")
        for text in ["Porto", "Faro"] {
            await look(text)
            #expect(named.isEmpty)
        }
        await look("Braga")
        #expect(named == ["main"])
        // Each later process says it too.
        await look("Evora")
        #expect(named == ["main"])
        phone.core.noteInteraction(in: "main", at: phone.clock.now())
        #expect(named.isEmpty)
    }

    @Test func countsDifferentStatesOfOneProcess() async {
        await look("Lisbon")
        _ = await phone.relaunch()
        for _ in 0..<9 { phone.save("Porto", .viewing) }
        phone.save("Faro", .viewing)
        #expect(named.isEmpty)
        phone.save("Braga", .viewing)
        #expect(named == ["main"])
    }

    @Test(arguments: [false, true])
    func namesNoSceneWithAnInteractionInAnEarlierProcess(isSaved: Bool) async {
        if isSaved {
            phone.save("Lisbon")
        } else {
            phone.core.noteInteraction(in: "main", at: phone.clock.now())
            phone.save("Lisbon", .viewing)
        }
        await phone.flush()
        for text in ["Porto", "Faro", "Braga", "Evora"] { await look(text) }
        #expect(named.isEmpty)
    }

    @Test func namesNoSceneThatOnlyShowsTheRestoredState() async {
        for _ in 0..<5 { await look("Lisbon") }
        #expect(named.isEmpty)
    }
}
