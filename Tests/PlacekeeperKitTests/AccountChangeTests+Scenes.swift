import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit
import PlacekeeperSceneStorage

/// Offers, scenes and storages, and other orders of changes.
extension AccountChangeTests {
    // MARK: - Offers

    /// Ann's other device has a newer place than the phone.
    private func annIsOffered() async throws -> Placekeeper.Offer {
        try await annWrites()
        try await phone.placekeeper.flush()
        await service.advance(by: 60)
        let pad = service.device(.pad)
        try await signIn(pad, "ann")
        pad.placekeeper.scene().save(.book("2", draft: "Ann's later draft"))
        try await pad.placekeeper.flush()
        return try #require(await phone.placekeeper.scene().launch().offer)
    }

    @Test func offerOfThePersonBeforeIsWithdrawn() async throws {
        let offer = try await annIsOffered()
        let presenter = OfferPresenter(place)
        presenter.show(offer)
        #expect(presenter.card != nil)
        try await signOut()
        #expect(presenter.card == nil)
        presenter.show(offer)
        #expect(presenter.card == nil)
        try await signIn(phone, "ben")
        await relaunch()
        let error = await #expect(throws: PlacekeeperError.self) { try await place.take(offer) }
        #expect(error?.code == .accountChanged)
        place.scene.dismiss(offer)
        #expect(isEmpty)
    }

    @Test func takeOnItsWayShowsNothingToTheNextPerson() async throws {
        let offer = try await annIsOffered()
        // For this layout, the client asks the service.
        place.device.layout = .compact
        phone.network.fault = .slow(.seconds(0.4))
        let taking = Task { try? await place.take(offer) }
        await Task.yield()
        let leaving = Task { try await phone.placekeeper.signOut(unsent: .keep) }
        try await service.advancingClock { try await leaving.value }
        phone.network.repair()
        _ = await service.advancingClock { await taking.value }
        await relaunch()
        try await signIn(phone, "ben")
        await relaunch()
        #expect(isEmpty)
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [])
    }

    // MARK: - Other orders

    @Test func erasureClearsTheWindow() async throws {
        try await annWrites()
        try await phone.placekeeper.deleteAccount()
        await relaunch()
        #expect(isEmpty)
        #expect(phone.placekeeper.status.account == .signedOut)
        place.save()
        try await signIn(phone, "ben")
        await relaunch()
        #expect(try await stored(for: "ben") == [])
        #expect(try await stored(for: "ann") == [])
    }

    @Test func linkTakesTheContentAlong() async throws {
        let pad = service.device(.pad)
        await place.launch()
        place.setValue("a draft", forKey: "draft")
        try await phone.placekeeper.link(pad.placekeeper.linkCode().code)
        await relaunch()
        #expect(place.value(forKey: "draft") == "a draft")
        try await phone.placekeeper.flush()
        #expect(try await pad.placekeeper.scene().history().count == 1)
    }

    @Test func linkAfterASignOutTakesNothingOfThePersonBefore() async throws {
        let bens = service.device(.pad)
        try await signIn(bens, "ben")
        try await annWrites()
        try await signOut()
        try await phone.placekeeper.link(bens.placekeeper.linkCode().code)
        await relaunch()
        place.save()
        try await phone.placekeeper.flush()
        #expect(isEmpty)
        #expect(try await bens.placekeeper.scene().history() == [])
    }

    @Test func revokedAnonymousDeviceKeepsNothingForItsNextUser() async throws {
        await place.launch()
        place.setValue("a draft", forKey: "draft")
        try await phone.placekeeper.flush()
        try await revoke(["linkCode": phone.placekeeper.linkCode().code])
        place.setValue("another draft", forKey: "draft")
        try? await phone.placekeeper.flush()
        await relaunch()
        #expect(isEmpty)
        try? await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history() == [])
    }

    @Test func personWhoMustSignInAgainKeepsTheWindow() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        try await revoke(["signInToken": TestService.signInToken(of: "ann")])
        place.setValue("Ann's next draft", forKey: "draft")
        try? await phone.placekeeper.flush()
        await relaunch()
        #expect(place.value(forKey: "draft") == "Ann's next draft")
        try await signIn(phone, "ann")
        await relaunch()
        #expect(place.value(forKey: "draft") == "Ann's next draft")
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ann").count == 2)
    }

    // MARK: - Scenes, storages and lists

    @Test func sceneSavesForTheNextPersonAfterItsNextLaunch() async throws {
        let scene = phone.placekeeper.scene()
        try await signIn(phone, "ann")
        _ = await scene.launch()
        scene.save(.book("1", draft: "Ann's"))
        try await signOut()
        try await signIn(phone, "ben")
        scene.save(.book("1", draft: "Ann's, later"))
        phone.placekeeper.scene("editor").save(.book("1", draft: "Ann's, elsewhere"))
        let error = await #expect(throws: PlacekeeperError.self) { try await phone.placekeeper.waitUntilSaved() }
        #expect(error?.code == .accountChanged)
        #expect(await scene.launch().isFresh)
        scene.save(.book("2", draft: "Ben's"))
        try? await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library", "Book 2"]])
        #expect(try await phone.placekeeper.scene("editor").history() == [])
    }

    @Test func storageOfTheRuntimeBelongsToOnePerson() async throws {
        let scene = phone.placekeeper.scene()
        try await signIn(phone, "ann")
        let anns = KeptSceneStorage(scene, await scene.launch())
        anns.writeArchive(try StateArchive.book("1", draft: "Ann's").encoded())
        #expect(anns.readArchive() != nil)
        try await signOut()
        #expect(anns.readArchive() == nil)
        let bens = KeptSceneStorage(scene, await scene.launch())
        anns.writeArchive(try StateArchive.book("1", draft: "Ann's, later").encoded())
        scene.noteInteraction()
        bens.writeArchive(try StateArchive.book("2", draft: "Ben's").encoded())
        try await signIn(phone, "ben")
        try? await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library", "Book 2"]])
    }

    /// The app got Ann's own state at once, and the client still asks the service for a newer place.
    @Test func answeredLaunchBeginsNothingForTheNextPerson() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        await service.advance(by: 60)
        phone.kill()
        let scene = phone.placekeeper.scene()
        phone.network.fault = .slow(.seconds(3))
        #expect(await service.advancingClock { await scene.launch() }.restore != nil)
        let leaving = Task { try await phone.placekeeper.signOut(unsent: .keep) }
        try await service.advancingClock { try await leaving.value }
        phone.network.repair()
        scene.save(.book("3", draft: "Ann's draft"))
        #expect(phone.placekeeper.status.account == .signedOut)
        try await signIn(phone, "ben")
        #expect(try await stored(for: "ben") == [])
    }
}
