import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

final class QueueTests: DeviceTests {
    private var uploads: [TransportRequest] { phone.network.requests.filter { $0.method == "PUT" } }

    private func value(_ name: String, of request: TransportRequest?) -> String? {
        request?.fields.first { $0.name == name }?.value
    }

    @Test func sendsOnlyTheNewestOfSeveralStates() async {
        phone.save("Lisbon")
        phone.save("Porto")
        await phone.saveAndFlush("Faro")
        #expect(uploads.count == 1)
        #expect(await phone.launch().text == "Faro")
    }

    @Test func waitsForLaterStatesBeforeSending() async {
        phone.save("Lisbon")
        await phone.settle()
        #expect(uploads.isEmpty)
        service.clock.advance(by: 2)
        await phone.settle()
        #expect(uploads.count == 1)
    }

    @Test func sendsAtLatestAfterFiveDelaysWhileThePersonWorks() async {
        for number in 0..<11 {
            phone.save("\(number)")
            await phone.settle()
            service.clock.advance(by: 1)
        }
        await phone.settle()
        #expect(uploads.count == 1)
    }

    @Test func doesNotSendAnUnchangedStateAgain() async {
        _ = await phone.launch()
        await phone.saveAndFlush("Lisbon")
        service.clock.advance(by: 10)
        phone.save("Lisbon")
        await phone.saveAndFlush("Lisbon", .viewing)
        #expect(uploads.count == 1)
    }

    @Test func sendsAnUnchangedStateAfterWorkOnAnotherDevice() async throws {
        let pad = SimulatedDevice(service, .phone, seed: 2)
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 10)
        await pad.saveAndFlush("Porto")
        #expect(await phone.relaunch().offer != nil)
        service.clock.advance(by: 10)
        await phone.saveAndFlush("Lisbon")
        pad.restart()
        #expect(try #require(await pad.launch().offer).place.titles == ["Lisbon"])
    }

    @Test func computesTheAgeWhenItSends() async {
        phone.network.fault = .offline
        phone.save("Lisbon", .ago(.seconds(5)))
        service.clock.advance(by: 100)
        phone.network.fault = nil
        await phone.flush()
        #expect(value("Interaction-Age", of: uploads.last) == "105.000")
    }

    @Test(arguments: [(-500.0, "0.000"), (500.0, "600.000"), (1e9, "315360000.000")])
    func measuresTheAgeByTheWallClockAfterABoot(wrongBy: Double, age: String) async {
        phone.save("Lisbon")
        service.clock.advance(by: 100)
        phone.clock.boot()
        phone.clock.setWall(wrongBy: wrongBy)
        phone.restart()
        await phone.flush()
        #expect(value("Interaction-Age", of: uploads.last) == age)
    }

    @Test func measuresTheAgeWithoutTheWallClockIfTheSystemKeepsRunning() async {
        phone.save("Lisbon")
        service.clock.advance(by: 100)
        phone.clock.setWall(wrongBy: 1e6)
        phone.restart()
        await phone.flush()
        #expect(value("Interaction-Age", of: uploads.last) == "100.000")
    }

    @Test func repeatsAnUploadWithTheSameIDAfterALostAnswer() async {
        phone.save("Lisbon")
        phone.network.failNext()
        _ = await phone.result(of: .linkCodeForTests)
        phone.network.failNext(.lostAnswer)
        await phone.flush()
        await phone.flush()
        #expect(uploads.count == 2)
        #expect(Set(uploads.map(\.target)).count == 1)
        #expect(await phone.history()?.count == 1)
    }

    @Test func waitsAsLongAsTheServiceAsksAlsoAfterALaunch() async {
        await phone.saveAndFlush("Lisbon")
        phone.core.rememberRetry(after: 600, at: phone.clock.now())
        phone.restart()
        let count = phone.network.requests.count
        service.clock.advance(by: 300)
        #expect(await phone.launch().text == "Lisbon")
        #expect(phone.network.requests.count == count)
        service.clock.advance(by: 301)
        _ = await phone.relaunch()
        #expect(phone.network.requests.count > count)
    }

    @Test func keepsARefusedStateAndSaysIt() async {
        await phone.saveAndFlush("Lisbon")
        phone.settings.device.bundleVersion = nil
        var broken = phone.archive("Porto")
        broken.idiom = -1
        phone.core.save(broken, in: "main", .now, at: phone.clock.now())
        await phone.flush()
        #expect(phone.files.paths.contains { $0.contains("/refused-") })
        #expect(phone.last.status.problem?.code == .stateRefused)
        let count = uploads.count
        service.clock.advance(by: 3600)
        await phone.settle()
        #expect(uploads.count == count)
    }

    @Test func removesFilesThatWereTornAtAnyByte() async throws {
        phone.save("Lisbon")
        let path = try #require(phone.files.paths.first { $0.contains("/pending-") })
        let whole = try #require(phone.files[path])
        for length in 0..<whole.count {
            let torn = Array(whole.prefix(length))
            #expect(throws: ChecksummedFile.Fault.damaged) { try ChecksummedFile.decode(Capture.self, torn) }
        }
        phone.files[path] = Array(whole.dropLast())
        phone.restart()
        await phone.flush()
        #expect(uploads.isEmpty)
        #expect(phone.files[path] == nil)
    }

    @Test func findsEachFlippedByte() throws {
        phone.save("Lisbon")
        let path = try #require(phone.files.paths.first { $0.contains("/pending-") })
        let whole = try #require(phone.files[path])
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 0x40
            #expect(throws: ChecksummedFile.Fault.self) { try ChecksummedFile.decode(Capture.self, flipped) }
        }
    }

    @Test func leavesFilesOfANewerVersionAlone() async throws {
        phone.save("Lisbon")
        let path = try #require(phone.files.paths.first { $0.contains("/pending-") })
        let whole = try #require(phone.files[path])
        let newer = Array("placekeeper 2\n".utf8) + whole.dropFirst(14)
        phone.files[path] = newer
        phone.restart()
        await phone.flush()
        #expect(phone.files.paths.contains { phone.files[$0] == newer })
    }

    @Test func neitherRegistersNorSavesWhileTheDeviceIsLocked() async {
        phone.files.fault = .locked
        phone.save("Lisbon")
        let launch = await phone.launch()
        #expect(launch.reason.code == .locked)
        #expect(phone.network.requests.isEmpty)
        #expect(phone.last.status.account == .locked)
        phone.files.fault = nil
        await phone.saveAndFlush("Porto")
        #expect(uploads.count == 1)
    }

    @Test func saysInTheNextFlushThatAStateWasNotSaved() async {
        await phone.settle()
        phone.files.fault = .noSpace
        phone.save("Lisbon")
        phone.files.fault = nil
        #expect(await phone.result(of: .flush).failure == .storageFailed)
        #expect(await phone.result(of: .flush).isDone)
    }

    @Test func saysThatTheDiskIsFull() async {
        await phone.settle()
        phone.files.fault = .noSpace
        phone.save("Lisbon")
        await phone.settle()
        #expect(phone.last.status.problem?.code == .storageFailed)
        phone.files.fault = nil
        await phone.saveAndFlush("Lisbon")
        #expect(uploads.count == 1)
    }
}

extension ClientCore.Call {
    /// Any intent that registers the device.
    static var linkCodeForTests: Self { .makeLinkCode }
}
