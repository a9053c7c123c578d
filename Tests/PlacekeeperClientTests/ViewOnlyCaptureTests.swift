import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// States that are saved without an interaction after a restore.
final class ViewOnlyCaptureTests: DeviceTests {
    @Test func viewOnlyCaptureKeepsWorkThatWaits() async throws {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        await pad.saveAndFlush("Porto")
        service.clock.advance(by: 10)
        let place = try #require(await phone.relaunch().offer?.place)
        // The work waits for later states while the person looks at the other place.
        phone.save("work")
        #expect(await phone.result(of: .take(place, phone.context)).served?.text == "Porto")
        await phone.saveAndFlush("view-only capture", .viewing)
        let titles = try #require(await pad.history()).map(\.titles.first)
        #expect(titles.contains("work") && titles.contains("view-only capture"))
    }

    @Test func viewOnlyCaptureDoesNotReplaceNewerWork() async throws {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        let served = try #require(await pad.launch().restore)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        service.clock.advance(by: 60)
        await pad.saveAndFlush("Lisbon, scrolled", .viewing)
        let launch = await phone.relaunch()
        #expect(launch.text == "Lisbon")
        #expect(launch.offer == nil)
    }

    /// Launches the phone, and saves a state without an interaction.
    private func look(_ text: String, offline: Bool = false) async {
        phone.restart()
        phone.network.fault = offline ? .offline : nil
        #expect(await phone.launch().text == "work")
        service.clock.advance(by: 60)
        phone.save(text, .viewing)
        if !offline { await phone.flush() }
    }

    @Test(arguments: [false, true], [false, true])
    func returnsToTheWorkAfterAGlanceAtAnotherPlace(glancesOffline: Bool, launchesOffline: Bool) async {
        await phone.saveAndFlush("work")
        await look("notification", offline: glancesOffline)
        phone.restart()
        phone.network.fault = launchesOffline ? .offline : nil
        #expect(await phone.launch().text == "work")
    }

    /// The process stays in memory while the app is in the background, and a notification opens another place.
    @Test(arguments: [false, true], [(false, false), (false, true), (true, false), (true, true)])
    func returnsToTheWorkAfterAGlanceInTheSameProcess(notes: Bool, isOffline: (work: Bool, launch: Bool)) async {
        await phone.saveAndFlush("before")
        phone.network.fault = isOffline.work ? .offline : nil
        if notes { phone.core.noteInteraction(in: "main", at: phone.clock.now()) }
        await phone.saveAndFlush("work", notes ? .viewing : .now)
        service.clock.advance(by: 3600)
        await phone.saveAndFlush("notification", .viewing)
        phone.save("another notification", .viewing)
        phone.network.fault = nil
        await phone.flush()
        phone.restart()
        phone.network.fault = isOffline.launch ? .offline : nil
        #expect(await phone.launch().text == "work")
        phone.network.fault = nil
        #expect(await pad.link(to: phone).isDone)
        #expect(await pad.launch().text == "work")
    }

    /// A notification opens another place while the person has the app open, some time after the last interaction.
    @Test(arguments: [false, true], [4.0, 6.0])
    func returnsToTheWorkBelowAScreenThatOpenedByItself(notes: Bool, seconds: Double) async {
        phone.save("before")
        await phone.settle()
        service.clock.advance(by: 60)
        if notes { phone.core.noteInteraction(in: "main", at: phone.clock.now()) }
        phone.save("work", notes ? .viewing : .now)
        await phone.settle()
        service.clock.advance(by: seconds)
        await phone.saveAndFlush("another place", .viewing)
        phone.restart()
        // A screen that opens soon after a noted interaction was opened by it.
        #expect(await phone.launch().text == (notes && seconds < 5 ? "another place" : "work"))
    }

    @Test func interactionWithAScreenThatOpenedByItselfIsWork() async {
        phone.save("work")
        await phone.settle()
        service.clock.advance(by: 60)
        phone.save("another place", .viewing)
        phone.core.noteInteraction(in: "main", at: phone.clock.now())
        await phone.saveAndFlush("another place", .viewing)
        #expect(await phone.relaunch().text == "another place")
    }

    @Test func workAfterAGlanceCountsAlthoughTheClockWasSetBack() async {
        await phone.saveAndFlush("work")
        await look("notification")
        phone.restart()
        phone.clock.setWall(wrongBy: -86_400)
        #expect(await phone.launch().text == "work")
        await phone.saveAndFlush("later work")
        #expect(await phone.relaunch().text == "later work")
    }

    @Test func interactionBeforeAFlushIsWorkIfTheStateIsSavedLater() async {
        phone.save("before")
        phone.core.noteInteraction(in: "main", at: phone.clock.now())
        // Another window of the app goes to the background.
        await phone.flush()
        await phone.saveAndFlush("work", .viewing)
        #expect(await phone.relaunch().text == "work")
    }

    @Test func interactionAfterAFlushIsWork() async {
        await phone.saveAndFlush("before")
        phone.save("notification", .viewing)
        phone.core.noteInteraction(in: "main", at: phone.clock.now())
        await phone.saveAndFlush("work", .viewing)
        #expect(await phone.relaunch().text == "work")
    }

    @Test func viewOnlyCaptureAtAnotherPlaceKeepsWorkThatWaits() async throws {
        phone.network.fault = .offline
        await phone.saveAndFlush("work")
        await look("notification", offline: true)
        phone.network.fault = nil
        await phone.flush()
        #expect(await phone.relaunch().text == "work")
        #expect(await pad.link(to: phone).isDone)
        #expect(await pad.launch().text == "work")
    }

    @Test(arguments: [false, true], [false, true])
    func interactionAfterAGlanceAtAnotherPlaceIsWork(isViewOnlySent: Bool, offline: Bool) async {
        await phone.saveAndFlush("work")
        await look("notification")
        if !isViewOnlySent {
            phone.save("another notification", .viewing)
            phone.save("notification", .viewing)
        }
        await phone.saveAndFlush("notification")
        phone.restart()
        phone.network.fault = offline ? .offline : nil
        #expect(await phone.launch().text == "notification")
    }

    @Test(arguments: [false, true])
    func returnsToAGlanceAtTheSamePlace(offline: Bool) async throws {
        await phone.saveAndFlush("work")
        let restored = try #require(await phone.relaunch().restore)
        phone.core.report(.restored, of: restored, at: phone.clock.now())
        var scrolled = restored.archive
        scrolled.place?.steps[0].title = "the title has arrived"
        scrolled.references.append(.init(dataSource: "photos", element: .init("40"), role: .firstVisible))
        scrolled.place?.steps[0].references = [scrolled.references.count - 1]
        phone.core.save(scrolled, in: "main", .viewing, at: phone.clock.now())
        await phone.flush()
        phone.restart()
        phone.network.fault = offline ? .offline : nil
        #expect(await phone.launch().restore?.archive.references.last?.element.identifier == "40")
    }

    @Test func viewOnlyCaptureAtAnotherItemIsAGlanceAtAnotherPlace() async throws {
        var archive = phone.archive("work")
        archive.references = [.init(dataSource: "photos", element: .init("1"), role: .selected)]
        archive.place?.steps[0].references = [0]
        phone.core.save(archive, in: "main", .now, at: phone.clock.now())
        await phone.flush()
        phone.restart()
        phone.network.fault = .offline
        let restored = try #require(await phone.launch().restore)
        #expect(restored.text == "work")
        phone.core.report(.restored, of: restored, at: phone.clock.now())
        archive.references[0].element.identifier = "2"
        phone.core.save(archive, in: "main", .viewing, at: phone.clock.now())
        #expect(await phone.relaunch().restore?.archive.references.last?.element.identifier == "1")
    }

    @Test func viewOnlyCaptureAtATakenPlaceWithoutConnectionIsNoWork() async throws {
        await phone.saveAndFlush("phone's")
        #expect(await pad.link(to: phone).isDone)
        let served = try #require(await pad.launch().restore)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        await pad.flush()
        pad.restart()
        pad.network.fault = .offline
        #expect(await pad.launch().text == "phone's")
        var scrolled = pad.archive("phone's")
        scrolled.application["offset"] = .integer(40)
        pad.core.save(scrolled, in: "main", .viewing, at: pad.clock.now())
        pad.network.fault = nil
        await pad.flush()
        let launch = await phone.relaunch()
        #expect(launch.text == "phone's")
        #expect(launch.offer == nil)
    }

    /// Launches the phone, and saves its place with another scroll position.
    private func scroll(to offset: Int64) async throws {
        phone.restart()
        phone.network.repair()
        let restored = try #require(await phone.launch().restore)
        phone.core.report(.restored, of: restored, at: phone.clock.now())
        var scrolled = restored.archive
        scrolled.application["offset"] = .integer(offset)
        phone.core.save(scrolled, in: "main", .viewing, at: phone.clock.now())
        await phone.flush()
    }

    @Test(arguments: [false, true])
    func returnsToAGlanceAtAGlance(offline: Bool) async throws {
        await phone.saveAndFlush("work")
        for offset in 1...4 as ClosedRange<Int64> {
            try await scroll(to: offset)
            phone.restart()
            phone.network.fault = offline ? .offline : nil
            let restored = try #require(await phone.launch().restore)
            #expect(restored.archive.application["offset"] == .integer(offset))
            phone.core.report(.restored, of: restored, at: phone.clock.now())
        }
    }

    @Test func offersNoStateAgainAfterAGlanceAtAGlance() async throws {
        await pad.saveAndFlush("pad's")
        #expect(await phone.link(to: pad).isDone)
        for offset in 1...3 as ClosedRange<Int64> { try await scroll(to: offset) }
        #expect(await phone.relaunch().offer == nil)
    }

    @Test func firstScreenAfterALaunchThatRestoresNothingIsNoWork() async throws {
        await phone.saveAndFlush("work")
        try await service.setRestoration("offer")
        #expect(await phone.relaunch().restore == nil)
        await phone.saveAndFlush("home", .viewing)
        try await service.setRestoration("auto")
        for fault in [nil, NetworkFault.offline] {
            phone.restart()
            phone.network.fault = fault
            let launch = await phone.launch()
            #expect(launch.text == "work")
            phone.core.report(.restored, of: try #require(launch.restore), at: phone.clock.now())
        }
    }

    @Test func viewOnlyCaptureAtAStateWithoutAPlaceIsNoWork() async throws {
        var archive = phone.archive("work")
        archive.place = nil
        phone.core.save(archive, in: "main", .now, at: phone.clock.now())
        await phone.flush()
        #expect(await phone.relaunch().text == "work")
        archive.application["text"] = .string("notification")
        phone.core.save(archive, in: "main", .viewing, at: phone.clock.now())
        await phone.flush()
        #expect(await phone.relaunch().text == "work")
    }
}
