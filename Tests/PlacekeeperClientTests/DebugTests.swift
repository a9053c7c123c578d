import PlacekeeperTesting
import Testing
import StateRestoration
@testable import PlacekeeperClient
struct DebugTests {
    @Test func debug() async throws {
        let service = try await TestService()
        let phone = SimulatedDevice(service, .phone, seed: 1)
        let pad = SimulatedDevice(service, .phone, seed: 2)
        phone.save("Lisbon"); await phone.flush()
        print("linked", await pad.link(to: phone))
        let l = await pad.launch()
        print(l.reason, phone.registration as Any, pad.registration as Any)
        for r in phone.network.requests { print("PHONE", r.method, r.target, r.fields.filter { $0.name != "Authorization" }) }
        for r in pad.network.requests { print("PAD", r.method, r.target, String(decoding: r.body.prefix(300), as: UTF8.self)) }
        phone.restart()
        let n = phone.network.requests.count
        print(await phone.launch().reason)
        for r in phone.network.requests.dropFirst(n) { print("PHONE2", r.method, r.target, r.fields.filter { $0.name != "Authorization" }, try await service.answer(r).status) }
        print(phone.files.paths)
    }
}
