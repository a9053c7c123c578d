import PlacekeeperCryptography
import Foundation
import PlacekeeperArchive
import PlacekeeperAPI
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// The bodies as the service reads and writes them.
private typealias Wire = PlacekeeperAPI.Wire

final class ListTests: DeviceTests {
    override init() async throws {
        try await super.init()
        await phone.saveAndFlush("Lisbon")
    }

    typealias Element = ListElement

    private func elements(_ range: Range<Int>, _ prefix: String = "p") -> [Element] {
        range.map { Element("\(prefix)\($0)", aliases: ["server:\($0)"]) }
    }

    /// Returns the items that the service has registered for a device.
    private func items(of device: SimulatedDevice, _ list: String = "photos") async throws -> [String: Wire.Item] {
        let fields = [TransportRequest.Field("Authorization", "Bearer " + (device.registration?.token ?? ""))]
        var items: [String: Wire.Item] = [:]
        var cursor = ""
        repeat {
            let target = "/v1/data-sources/\(list)/items?limit=1000" + cursor
            let response = try await service.answer(TransportRequest("GET", target, fields: fields))
            guard response.status == 200 else { return [:] }
            let page = try JSONDecoder().decode(Wire.Page<Wire.Item>.self, from: Data(response.body))
            for item in page.items { items[item.identifier] = item }
            cursor = page.next.map { "&cursor=" + $0 } ?? ""
        } while !cursor.isEmpty
        return items
    }

    private func requests(of device: SimulatedDevice, _ body: () async throws -> Void) async rethrows -> [String] {
        let count = device.network.requests.count
        try await body()
        return device.network.requests.dropFirst(count).map { "\($0.method) \($0.target)" }
    }

    @Test func registersTheItemsOfAList() async throws {
        await phone.updateAndFlush("photos", elements(0..<3))
        let items = try await items(of: phone)
        #expect(Set(items.keys) == ["p0", "p1", "p2"])
        #expect(items["p1"]?.aliases == ["server:1"])
        let positions = try ["p0", "p1", "p2"].map { try #require(items[$0]?.position) }
        #expect(positions == positions.sorted())
    }

    @Test func servesTheIdentifiersOfTheOtherDevice() async throws {
        phone.update("photos", elements(0..<3))
        var archive = phone.archive("with a photo")
        archive.references = [
            ModelReference(
                dataSource: "photos", element: ModelReference.Element("p1", aliases: ["server:1"]), role: .selected)
        ]
        archive.application["photo"] = .reference(0)
        phone.core.save(archive, in: "main", .now, at: phone.clock.now())
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        await pad.updateAndFlush("photos", elements(0..<3, "row-"))
        let launch = await pad.launch()
        #expect(launch.restore?.archive.references.first?.element.identifier == "row-1")
    }

    @Test func sendsOnlyChanges() async throws {
        await phone.updateAndFlush("photos", elements(0..<100))
        var changed = elements(0..<100)
        changed.remove(at: 10)
        changed.insert(Element("new", aliases: ["server:new"]), at: 50)
        let sent = try await requests(of: phone) {
            await phone.updateAndFlush("photos", changed)
            let body = try #require(phone.network.requests.last?.body)
            let delta = try JSONDecoder().decode(Wire.ItemDelta.self, from: Data(body))
            #expect(delta.upserts?.map(\.identifier) == ["new"])
            #expect(delta.removals == ["p10"])
        }
        #expect(sent == ["PATCH /v1/data-sources/photos/items"])
        #expect(try await items(of: phone).count == 100)
    }

    @Test func sendsNothingForAnUnchangedListAfterARestart() async throws {
        await phone.updateAndFlush("photos", elements(0..<100))
        phone.restart()
        let sent = await requests(of: phone) {
            await phone.updateAndFlush("photos", elements(0..<100))
        }
        #expect(sent == ["GET /v1/data-sources/photos"])
    }

    @Test func keepsPositionsAcrossRestarts() async throws {
        await phone.updateAndFlush("photos", elements(0..<10))
        let before = try await items(of: phone)
        phone.restart()
        await phone.updateAndFlush("photos", elements(3..<10))
        let after = try await items(of: phone)
        #expect(after.count == 7)
        #expect(after.allSatisfy { before[$0.key]?.position == $0.value.position })
    }

    @Test(arguments: 0..<4)
    func registersAfterALostAnswer(number: Int) async throws {
        for _ in 0..<number { phone.network.failNext(.lostRequest) }
        phone.network.failNext(.lostAnswer)
        phone.update("photos", elements(0..<20))
        for _ in 0..<8 { await phone.flush() }
        #expect(try await items(of: phone).count == 20)
    }

    @Test func repairsADifferenceFromTheService() async throws {
        await phone.updateAndFlush("photos", elements(0..<500))
        let token = try #require(phone.registration?.token)
        let delta = Wire.ItemDelta(
            upserts: [.init(identifier: "strange", aliases: nil, position: 1)], removals: ["p7"], redirects: nil,
            after: nil)
        let response = try await service.answer(
            TransportRequest(
                "PATCH", "/v1/data-sources/photos/items",
                fields: [.init("Authorization", "Bearer " + token), .init("Content-Type", "application/json")],
                body: [UInt8](JSONEncoder().encode(delta))))
        #expect(response.status == 200)
        await phone.updateAndFlush("photos", elements(0..<501))
        #expect(Set(try await items(of: phone).keys) == Set((0..<501).map { "p\($0)" }))
    }

    @Test func repairsALostFile() async throws {
        await phone.updateAndFlush("photos", elements(0..<30))
        phone.restart()
        let path = try #require(phone.files.paths.first { $0.hasSuffix("lists/l.photos") })
        phone.files[path] = [1, 2, 3]
        await phone.updateAndFlush("photos", elements(5..<30))
        #expect(try await items(of: phone).count == 25)
    }

    @Test func registersAgainForTheUserOfALinkedDevice() async throws {
        pad.update("photos", elements(0..<5, "row-"))
        await pad.saveAndFlush("Porto")
        #expect(try await items(of: pad).count == 5)
        #expect(await pad.link(to: phone).isDone)
        await pad.flush()
        #expect(try await items(of: pad).count == 5)
    }

    @Test func registersNoItemsOfThePersonWhoSignedOut() async throws {
        #expect(await phone.signIn("anna").isDone)
        await phone.updateAndFlush("photos", elements(0..<5))
        #expect(await phone.result(of: .signOut(.discard)).isDone)
        #expect(await phone.signIn("ben").isDone)
        await phone.updateAndFlush("photos", elements(0..<5))
        #expect(try await items(of: phone).isEmpty)
        #expect(await phone.launch().isFresh)
        await phone.updateAndFlush("photos", elements(5..<6))
        #expect(try await items(of: phone).keys.sorted() == ["p5"])
    }

    @Test func registersALongListInParts() async throws {
        phone.update("photos", elements(0..<12_000))
        let sent = await requests(of: phone) { await phone.flush() }
        #expect(sent.count { $0.hasPrefix("PATCH") } == 3)
        #expect(try await items(of: phone).count == 12_000)
    }

    @Test func leavesOutWhatTheServiceRefuses() async throws {
        let long = "e" + String(repeating: "\u{301}", count: 4000)
        phone.update(
            "photos",
            [
                Element("good", aliases: ["a", "", long, "b\u{7}", "a"] + (0..<40).map { "alias\($0)" }),
                Element(long), Element(""), Element("bell\u{7}"), Element("good"),
                Element("caf\u{E9}"), Element("caf\u{E9}"),
            ])
        await phone.flush()
        let items = try await items(of: phone)
        #expect(Set(items.keys) == ["good", "caf\u{E9}"])
        #expect(items["good"]?.aliases?.count == 32)
        #expect(phone.last.status.problem == nil)
    }

    @Test func resolvesAReplacedItemToTheOtherItem() async throws {
        await phone.updateAndFlush("photos", elements(0..<5))
        phone.core.redirect("p1", to: "p2", in: "photos", at: phone.clock.now())
        await phone.updateAndFlush("photos", elements(0..<1) + elements(2..<5))
        let token = try #require(phone.registration?.token)
        let question = Wire.ResolutionQuestion(
            device: try #require(phone.registration?.device), identifiers: ["p1"])
        let response = try await service.answer(
            TransportRequest(
                "POST", "/v1/data-sources/photos/resolve",
                fields: [.init("Authorization", "Bearer " + token), .init("Content-Type", "application/json")],
                body: [UInt8](JSONEncoder().encode(question))))
        let answer = try JSONDecoder().decode(Wire.Resolutions.self, from: Data(response.body))
        #expect(answer.results.first?.identifier == "p2")
        #expect(try await items(of: phone).count == 4)
    }

    @Test func registersNothingIfTheOperatorDeclaredAnotherScope() async throws {
        let token = try #require(phone.registration?.token)
        _ = try await service.answer(
            TransportRequest(
                "PUT", "/v1/data-sources/photos",
                fields: [.init("Authorization", "Bearer " + token), .init("Content-Type", "application/json")],
                body: Array(#"{"scope": "shared"}"#.utf8)))
        phone.update("photos", elements(0..<5))
        let sent = await requests(of: phone) { await phone.flush() }
        #expect(sent == ["GET /v1/data-sources/photos"])
        #expect(phone.last.status.problem == nil)
    }

    @Test func givesUpIfTheDigestsNeverAgree() async throws {
        phone.rewrite = { request, response in
            guard request.target.hasPrefix("/v1/data-sources/photos"), response.status == 200 else { return response }
            var response = response
            let text = String(decoding: response.body, as: UTF8.self)
            let start = text.range(of: #""digest":""#)?.upperBound
            guard let start else { return response }
            let end = text.index(start, offsetBy: 32)
            response.body = Array(
                text.replacingCharacters(in: start..<end, with: String(repeating: "0", count: 32)).utf8)
            return response
        }
        phone.update("photos", elements(0..<5))
        let sent = await requests(of: phone) { for _ in 0..<20 { await phone.flush() } }
        #expect(sent.count < 20)
        #expect(phone.last.status.problem?.code == .listDiffers)
    }

    @Test func endsReadingPagesThatNeverEnd() async throws {
        await phone.updateAndFlush("photos", elements(0..<5))
        phone.restart()
        phone.files[try #require(phone.files.paths.first { $0.hasSuffix("lists/l.photos") })] = []
        phone.rewrite = { request, response in
            guard request.target.contains("/items?") else { return response }
            return TransportResponse(
                status: 200, fields: [.init("content-type", "application/json")],
                body: Array(#"{"items": [{"identifier": "again"}], "next": "again"}"#.utf8))
        }
        phone.update("photos", elements(0..<6))
        let sent = await requests(of: phone) { for _ in 0..<3 { await phone.flush() } }
        let pages = sent.count { $0.contains("/items?") }
        #expect((1..<60).contains(pages))
    }

    @Test func ignoresAnAnswerForThePersonBefore() async throws {
        #expect(await phone.signIn("anna").isDone)
        #expect(await pad.signIn("anna").isDone)
        await phone.updateAndFlush("photos", elements(0..<5))
        phone.update("photos", elements(0..<6))
        service.clock.advance(by: 10)
        // The change is sent, and its answer is still on its way.
        phone.step()
        #expect(phone.hasOpenRequests)
        try await phone.revoke(by: pad, service)
        phone.save("Porto")
        service.clock.advance(by: 10)
        phone.step()
        await phone.answerNewest()
        #expect(phone.registration == nil)
        // The app tells the items of the person who must sign in again before the late answer arrives.
        phone.update("photos", elements(5..<7))
        await phone.answerNext()
        #expect(await phone.signIn("ben").isDone)
        await phone.flush()
        #expect(try await items(of: phone).isEmpty)
        #expect(await phone.launch().isFresh)
        await phone.updateAndFlush("photos", elements(10..<12))
        #expect(Set(try await items(of: phone).keys) == ["p10", "p11"])
    }

    @Test func registersNoDeviceForAListAlone() async throws {
        pad.update("photos", elements(0..<5))
        service.clock.advance(by: 60)
        await pad.settle()
        #expect(pad.network.requests.isEmpty)
    }

    @Test func agreesWithTheSystemsSHA256() {
        for count in Array(0...130) + [1000, 4096] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
            let words = PlacekeeperClient.SHA256.words(of: bytes)
            let digest = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
            #expect(digest == PlacekeeperCryptography.SHA256.digest(of: bytes))
        }
    }
}
