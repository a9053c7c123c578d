import Testing

@testable import PlacekeeperHTTP
@testable import PlacekeeperSockets

/// Tests of the decisions of a connection, without a socket.
@Suite struct ConnectionTests {
    private static let head = RequestHead(
        bytes: [], method: .get, minorVersion: 1, path: 0..<0, query: nil, fields: [], framing: .none, keepsAlive: true,
        expectsContinue: false)

    /// Returns a connection that reached `phase` by the usual events.
    private static func connection(in phase: Connection.Phase) -> Connection {
        var connection = Connection()
        switch phase {
        case .idle: break
        case .head: connection.needsMore(insideMessage: true, insideBody: false)
        case .body: connection.needsMore(insideMessage: true, insideBody: true)
        case .handling: connection.handle(head)
        case .streaming:
            connection.handle(head)
            connection.answered(.init(framing: .chunked, keepsAlive: true))
        case .ending:
            connection.refuse(method: .get)
            connection.answered(.init(framing: .length, keepsAlive: false))
        case .lingering: connection.linger()
        case .closed: connection.close()
        }
        return connection
    }

    @Test(arguments: [
        (Connection.Phase.idle, true, Connection.Timer?.some(.idle), Connection.Action.read),
        (.head, true, .head, .read),
        (.body, true, .body, .read),
        (.handling, false, nil, .wait),
        (.streaming, false, nil, .wait),
        (.ending, false, nil, .linger),
        (.lingering, true, .linger, .wait),
        (.closed, false, nil, .wait),
    ])
    func hasTheTimerAndNextActionOfItsPhase(
        phase: Connection.Phase, reads: Bool, timer: Connection.Timer?, next: Connection.Action
    ) {
        let connection = Self.connection(in: phase)
        #expect(connection.phase == phase)
        #expect(connection.reads == reads)
        #expect(connection.timer == timer)
        #expect(connection.next == next)
    }

    @Test(arguments: [Connection.Phase.idle, .streaming, .ending])
    func onlyWaitsWhileBytesAreUnsent(phase: Connection.Phase) {
        var connection = Self.connection(in: phase)
        connection.sent(everything: false)
        #expect(!connection.reads)
        #expect(connection.timer == .write)
        #expect(connection.next == .wait)
        connection.sent(everything: true)
        #expect(connection.next == Self.connection(in: phase).next)
    }

    @Test func readsAfterAResponseThatKeepsTheConnectionAlive() {
        var connection = Self.connection(in: .handling)
        connection.answered(.init(framing: .length, keepsAlive: true))
        #expect(connection.phase == .idle)
        #expect(connection.next == .read)
    }

    @Test func lingersAfterAResponseThatClosesTheConnection() {
        var connection = Self.connection(in: .handling)
        connection.answered(.init(framing: .none, keepsAlive: false))
        #expect(connection.next == .linger)
    }

    @Test func closesWithoutLingeringWhenThePeerHasFinished() {
        var connection = Self.connection(in: .body)
        let refusal = Refusal(.badRequest, code: "incomplete", "")
        #expect(connection.peerFinished(refusal) == .refuse(refusal))
        connection.refuse(method: .put)
        #expect(!connection.contextForResponse().keepsAlive)
        connection.answered(.init(framing: .length, keepsAlive: false))
        #expect(connection.next == .close)
    }

    @Test(arguments: [Connection.Phase.idle, .lingering])
    func closesWhenThePeerFinishesBetweenMessages(phase: Connection.Phase) {
        var connection = Self.connection(in: phase)
        #expect(connection.peerFinished(nil) == .close)
    }

    @Test func keepsTheConnectionAfterACompleteStreamAndAbortsAnIncompleteOne() {
        var whole = Self.connection(in: .streaming)
        #expect(whole.streamEnded(isWhole: true) == .wait)
        #expect(whole.next == .read)
        var half = Self.connection(in: .streaming)
        #expect(half.streamEnded(isWhole: false) == .abort)
    }

    @Test func lingersAfterAStreamDelimitedByClosing() {
        var connection = Self.connection(in: .handling)
        connection.answered(.init(framing: .untilClose, keepsAlive: false))
        #expect(connection.phase == .streaming)
        #expect(connection.streamEnded(isWhole: true) == .wait)
        #expect(connection.next == .linger)
    }

    @Test(arguments: [
        (Connection.Timer.idle, Connection.Action.close), (.head, .refuse(.headTooSlow)),
        (.body, .refuse(.bodyTooSlow)),
        (.write, .abort), (.linger, .close),
    ])
    func performsTheActionOfEachDeadline(timer: Connection.Timer, action: Connection.Action) {
        var connection = Connection()
        #expect(connection.deadlinePassed(timer) == action)
    }

    @Test(arguments: [
        (Connection.Phase.idle, Connection.Action.close), (.head, .wait), (.body, .wait), (.handling, .wait),
        (.streaming, .wait), (.ending, .wait), (.lingering, .wait),
    ])
    func closesOnlyIdleConnectionsWhenDraining(phase: Connection.Phase, action: Connection.Action) {
        var connection = Self.connection(in: phase)
        #expect(connection.drain() == action)
    }

    @Test func keepsNoConnectionAliveWhileDraining() {
        var handling = Self.connection(in: .handling)
        _ = handling.drain()
        #expect(!handling.contextForResponse().keepsAlive)
        var streaming = Self.connection(in: .streaming)
        _ = streaming.drain()
        _ = streaming.streamEnded(isWhole: true)
        #expect(streaming.next == .linger)
        var flushing = Self.connection(in: .idle)
        flushing.sent(everything: false)
        #expect(flushing.drain() == .wait)
        flushing.sent(everything: true)
        #expect(flushing.next == .close)
    }
}
