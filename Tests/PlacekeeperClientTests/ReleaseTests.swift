import PlacekeeperConcurrency
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// A client that the app has released.
@Suite(.timeLimit(.minutes(20)))
struct ReleaseTests {
    @Test func endsItsStreamOfEvents() async throws {
        let service = try await TestService()
        let clock = DeviceClock(service.clock)
        let transport = WatchedTransport(TestTransport(service, clock: clock))
        var client: Placekeeper? = Placekeeper(
            key: service.key, configuration: .init(), clock: clock, transport: transport, files: { MemoryFiles() },
            credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator())
        _ = await client?.scene().launch()
        let offers = client?.scene().offers
        var streams = transport.streams.makeAsyncIterator()
        #expect(await streams.next() == .opened)
        #expect(offers != nil)
        client = nil
        // Nothing arrives in the stream: only the release of the client ends it.
        #expect(await streams.next() == .ended)
        for await offer in try #require(offers) { #expect(offer == nil) }
    }
}

/// Says when a stream of events is opened and when it has ended. No stream passes anything on.
private final class WatchedTransport: Transport {
    enum Change { case opened, ended }

    let streams: AsyncStream<Change>
    private let changes: AsyncStream<Change>.Continuation
    private let base: any Transport

    init(_ base: any Transport) {
        self.base = base
        (streams, changes) = AsyncStream.makeStream()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await base.send(request)
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        changes.yield(.opened)
        let silence = AsyncStream<Never>.makeStream()
        for await _ in silence.stream {}
        changes.yield(.ended)
        throw .canceled
    }
}
