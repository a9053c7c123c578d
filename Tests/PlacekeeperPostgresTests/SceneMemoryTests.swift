import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperPostgres

@Suite struct SceneMemoryTests {
    private let scene = SceneKey(owner: Agreement.owner(), name: "main")

    private func loaded(_ age: Duration = .zero) -> Loaded {
        var loaded = Loaded()
        loaded.contents.users[scene.owner] = OldMemoryStore.UserRecord()
        loaded.users[scene.owner] = Loaded.User(version: 7, usage: Usage())
        loaded.readAt = .now - age
        return loaded
    }

    @Test func givesTheDataOnceAndOnlyForTheScene() {
        let memory = SceneMemory()
        memory.keep(loaded(), after: loaded().contents, isWritten: true, in: scene)
        #expect(memory.take(scene.owner, scene)?.users[scene.owner]?.version == 8)
        #expect(memory.take(scene.owner, scene) == nil)
        memory.keep(loaded(), after: loaded().contents, isWritten: false, in: scene)
        #expect(memory.take(scene.owner, SceneKey(owner: scene.owner, name: "other")) == nil)
        #expect(memory.take(scene.owner, scene) == nil)
    }

    /// The usage of the app is only read with the data. If each upload renewed the data's age, the app could exceed its
    /// quota without a limit.
    @Test func givesNoDataThatWasReadLongAgoAlsoAfterFurtherUploads() throws {
        let memory = SceneMemory()
        memory.keep(loaded(.seconds(5)), after: loaded().contents, isWritten: true, in: scene)
        let young = try #require(memory.take(scene.owner, scene))
        #expect(young.readAt < .now - .seconds(4))
        memory.keep(loaded(.seconds(11)), after: loaded().contents, isWritten: true, in: scene)
        #expect(memory.take(scene.owner, scene) == nil)
    }
}
