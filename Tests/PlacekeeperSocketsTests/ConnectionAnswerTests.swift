import Testing

@testable import PlacekeeperHTTP
@testable import PlacekeeperSockets

@Suite struct ConnectionAnswerTests {
    private static func head(_ method: Method, minorVersion: UInt8, keepsAlive: Bool) -> RequestHead {
        RequestHead(
            bytes: [], method: method, minorVersion: minorVersion, path: 0..<0, query: nil, fields: [], framing: .none,
            keepsAlive: keepsAlive, expectsContinue: false)
    }

    @Test(arguments: [(Method.head, UInt8(0), false), (.put, 1, true)])
    func encodesTheResponseForTheCurrentRequest(method: Method, minorVersion: UInt8, keepsAlive: Bool) {
        var connection = Connection()
        connection.handle(Self.head(method, minorVersion: minorVersion, keepsAlive: keepsAlive))
        let framingContext = connection.contextForResponse()
        #expect(framingContext.method == method)
        #expect(framingContext.minorVersion == minorVersion)
        #expect(framingContext.keepsAlive == keepsAlive)
    }

    @Test func encodesARefusalForTheMethodOfTheRefusedRequest() {
        var connection = Connection()
        connection.handle(Self.head(.get, minorVersion: 0, keepsAlive: true))
        connection.refuse(method: .head)
        let framingContext = connection.contextForResponse()
        #expect(framingContext.method == .head)
        #expect(framingContext.minorVersion == 1)
        #expect(!framingContext.keepsAlive)
        #expect(connection.phase == .handling)
    }

    @Test func closesWithoutAResponseWhenThePeerFinishesWhileLingering() {
        var connection = Connection()
        connection.linger()
        #expect(connection.peerFinished(.headTooSlow) == .close)
    }

    @Test(arguments: [
        (Refusal.contentTooLarge, Status.contentTooLarge, "content-too-large"),
        (.headTooSlow, .requestTimeout, "head-timeout"), (.bodyTooSlow, .requestTimeout, "body-timeout"),
        (.tooManyBodies, .serviceUnavailable, "buffers-exhausted"),
    ])
    func givesEachRefusalItsStatusAndCode(refusal: Refusal, status: Status, code: String) {
        #expect(refusal.status == status)
        #expect(refusal.code == code)
    }
}
