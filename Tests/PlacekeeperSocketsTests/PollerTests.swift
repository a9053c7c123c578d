import PlacekeeperSystem
import Dispatch
import Testing

@testable import PlacekeeperSockets

/// The promises of `Poller`, for each poller.
@Suite(.timeLimit(.minutes(20))) struct PollerTests {
    @Test(arguments: PollerKind.allCases)
    func reportsThatBytesCanBeReceivedAsLongAsBytesWait(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (socket, peer) = try await fixture.addPair(.input)
            try await fixture.waitForALaterEvent()
            #expect(await fixture.perform { $0.reported[socket.token] } == nil)

            try peer.send([1, 2])
            await fixture.wait(for: .input, of: socket.token)
            #expect(await fixture.perform { _ in SocketEnd.receive(socket.descriptor, limit: 1) } == 1)
            await fixture.forget()
            await fixture.wait(for: .input, of: socket.token)

            await fixture.perform { fixture in _ = SocketEnd.receive(socket.descriptor) }
            // An event that was on its way is reported until here.
            try await fixture.waitForALaterEvent()
            await fixture.forget()
            try await fixture.waitForALaterEvent()
            #expect(await fixture.perform { $0.reported[socket.token] } == nil)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func reportsThatBytesCanBeSentWhenThereIsRoom(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (one, peer) = try SocketEnd.pair()
            one.fill()
            let socket = try await fixture.add(one.take(), .output)
            try await fixture.waitForALaterEvent()
            #expect(await fixture.perform { $0.reported[socket.token] } == nil)

            while SocketEnd.receive(peer.descriptor) > 0 {}
            await fixture.wait(for: .output, of: socket.token)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func reportsOnlyTheEventsOfTheLastChange(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (socket, peer) = try await fixture.addPair([])
            try peer.send([1])
            // The socket can be read and written all the time.
            for events in [SocketEvents.input, .output, [.input, .output], [], .output, .input, []] {
                #expect(await fixture.perform { $0.poller.change(socket.descriptor, events, socket.token) })
                await fixture.forget()
                await fixture.wait(for: events, of: socket.token)
                try await fixture.waitForALaterEvent()
                #expect(await fixture.perform { $0.reported[socket.token] ?? [] } == events)
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func reportsNoEventOfAClosedSocket(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (socket, peer) = try await fixture.addPair([.input, .output])
            try peer.send([1])
            await fixture.wait(for: [.input, .output], of: socket.token)
            await fixture.perform { fixture in
                fixture.close(socket)
                fixture.reported = [:]
            }
            try await fixture.waitForALaterEvent()
            #expect(await fixture.perform { $0.reported[socket.token] } == nil)
        }
    }

    /// The events wait in the poller when the socket is closed, because the worker is busy.
    @Test(arguments: PollerKind.allCases)
    func dropsTheWaitingEventsOfASocketThatIsClosed(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            await fixture.perform { $0.takesEvents = false }
            let (socket, peer) = try await fixture.addPair(.input)
            let turns = await fixture.perform { $0.turns }
            try peer.send([1])
            await fixture.wait { $0.turns > turns + 1 }
            let events = await fixture.perform { fixture in
                fixture.close(socket)
                return fixture.take()
            }
            #expect(!events.contains { $0.token == socket.token })
        }
    }

    /// The kernel gives the lowest free number to a new socket, so the number of a closed socket soon returns.
    @Test(arguments: PollerKind.allCases)
    func reportsANewSocketThatGetsTheNumberOfAClosedSocket(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            for _ in 0..<100 {
                let (socket, peer) = try await fixture.addPair([.input, .output])
                try peer.send([1])
                await fixture.wait(for: [.input, .output], of: socket.token)
                await fixture.perform { $0.close(socket) }
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func closesTheDescriptorOfAClosedSocket(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (socket, peer) = try await fixture.addPair([.input, .output])
            let (other, end) = try await fixture.addPair(.input)
            await fixture.perform { $0.close(socket) }
            _ = await fixture.perform { $0.poller.change(other.descriptor, [], other.token) }
            await fixture.perform { $0.close(other) }
            // The peer receives the end of the bytes.
            for descriptor in [peer.descriptor, end.descriptor] {
                while !System.hasFinished(descriptor) { await Task.yield() }
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func refusesAClosedDescriptorAndAnAddedDescriptor(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (socket, _) = try await fixture.addPair(.input)
            await fixture.perform { fixture in
                let other = ConnectionID(index: 1000, generation: 1)
                #expect(!fixture.poller.add(socket.descriptor, .input, other))
                // The kernel never gives this number, which is above every limit of open files.
                #expect(!fixture.poller.add(Int32.max, .input, other))
                #expect(!fixture.poller.add(-1, .input, other))
                #expect(!fixture.poller.change(Int32.max, .input, other))
                fixture.close(socket)
                #expect(!fixture.poller.change(socket.descriptor, .input, socket.token))
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func reportsTheEndOfThePeersBytes(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (socket, peer) = try await fixture.addPair(.input)
            peer.close()
            await fixture.wait(for: .input, of: socket.token)
        }
    }

    @Test(arguments: PollerKind.allCases, [SocketEvents.input, .output, []])
    func reportsTheFailureOfASocket(kind: PollerKind, events: SocketEvents) async throws {
        try await PollerFixture.run(kind) { fixture in
            let (listener, address) = try System.listen(at: SocketAddress(host: "127.0.0.1", port: 0), backlog: 1)
            defer { System.close(listener) }
            let client = try TestClient(port: address.port)
            guard case .connection(let descriptor, _) = System.accept(listener) else {
                throw TestClient.Failure(call: "accept", number: errno)
            }
            // A poller of Dispatch finds the failure of a socket without reported events when the clock ticks.
            await fixture.perform { $0.poller.setTicks(.milliseconds(1)) }
            let socket = try await fixture.add(descriptor, events)
            try await client.reset()
            await fixture.wait { !$0.reported[socket.token, default: []].isDisjoint(with: .failure) }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func callsTheTurnWhenAnotherThreadWakesThePoller(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            for _ in 0..<100 {
                let turns = await fixture.perform { $0.turns }
                DispatchQueue.global().async { fixture.poller.wake() }
                await fixture.wait { $0.turns > turns }
            }
        }
    }

    /// A poller that does not block returns at once, and the worker's turn ends.
    @Test(arguments: PollerKind.allCases)
    func endsAWaitWhenAnotherThreadWakesThePoller(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            let tokens = await fixture.perform { fixture in
                fixture.takesEvents = false
                while !fixture.take().isEmpty {}
                DispatchQueue.global().async { fixture.poller.wake() }
                return fixture.take(mayBlock: true).map(\.token)
            }
            #expect(tokens == (fixture.poller.blocks ? [.wakeup] : []))
        }
    }

    @Test(arguments: PollerKind.allCases)
    func countsTicksUntilTheyAreStopped(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            await fixture.perform { $0.poller.setTicks(.milliseconds(1)) }
            await fixture.wait { $0.ticks >= 20 }
            await fixture.perform { fixture in
                fixture.poller.setTicks(.zero)
                fixture.ticks = 0
            }
            // The ticks of another poller show that time has passed.
            try await PollerFixture.run(kind) { other in
                await other.perform { $0.poller.setTicks(.milliseconds(1)) }
                await other.wait { $0.ticks >= 20 }
            }
            #expect(await fixture.perform { $0.ticks + $0.poller.takeTicks() } == 0)
        }
    }

    /// The ticks that arrived before a restart of the clock do not belong to the new clock.
    @Test(arguments: PollerKind.allCases)
    func forgetsTicksWhenTheIntervalIsSet(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            await fixture.perform { fixture in
                fixture.takesEvents = false
                fixture.poller.setTicks(.milliseconds(1))
            }
            await fixture.wait { $0.turns > 2 }
            await fixture.perform { fixture in
                fixture.poller.setTicks(.seconds(3600))
                #expect(fixture.poller.takeTicks() == 0)
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func reportsEverySocketOfMany(kind: PollerKind) async throws {
        try await PollerFixture.run(kind) { fixture in
            var sockets: [(PollerFixture.Watched, SocketEnd)] = []
            for _ in 0..<16 * PollerFixture.batch { sockets.append(try await fixture.addPair(.input)) }
            for (_, peer) in sockets { try peer.send([1]) }
            // The bytes stay, so the poller must not report the same sockets again and again.
            for (socket, _) in sockets { await fixture.wait(for: .input, of: socket.token) }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func callsNoTurnAfterItWasStoppedAndReleasesIt(kind: PollerKind) async throws {
        let queue = DispatchQueue(label: "stopped poller")
        let released = Gate()
        do {
            let poller = try kind.makePoller(queue)
            let witness = Witness { released.arrive() }
            queue.sync {
                poller.setTicks(.milliseconds(1))
                poller.start { withExtendedLifetime(witness) {} }
            }
            queue.sync { poller.stop() }
            poller.wake()
        }
        // A turn that could still be called would keep the witness.
        await released.waitForArrivals()
    }

    /// A poller that is stopped while it ticks is released.
    @Test(arguments: PollerKind.allCases)
    func isReleasedAfterItWasStopped(kind: PollerKind) async throws {
        let queue = DispatchQueue(label: "stopped poller")
        weak var released: (any Poller)?
        do {
            let poller = try kind.makePoller(queue)
            released = poller
            queue.sync {
                poller.setTicks(.milliseconds(1))
                poller.start {}
            }
            queue.sync { poller.stop() }
        }
        while released != nil { await Task.yield() }
    }

    /// Tells its end.
    private final class Witness: Sendable {
        let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }
}
