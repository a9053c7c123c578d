import Testing

/// A response that is wrong, or that a client should handle with care.
struct HostileResponse: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable {
        /// An error before the deadline.
        case error
        /// An error, possibly only at the deadline.
        case errorOrDeadline
        case deadline
        /// The response with this status and body.
        case response(Int, String = "")
        /// The response as it is, or an error.
        case responseOrError
        /// The process ends, so the test does not run.
        case endOfProcess
    }

    var name: String
    /// The behavior of the transport on sockets.
    var expected: Expectation
    /// The behavior of the transport with `URLSession` on Linux: libcurl accepts more than RFC 9112 allows.
    var expectedOfURLSession: Expectation
    var script: ScriptedServer.Script
    var testDescription: String { name }

    init(
        _ name: String, _ expected: Expectation, urlSession: Expectation? = nil,
        script: @escaping ScriptedServer.Script
    ) {
        self.name = name
        self.expected = expected
        expectedOfURLSession = urlSession ?? expected
        self.script = script
    }

    /// A response that consists of these bytes. After the bytes, the server closes the connection.
    static func bytes(
        _ name: String, _ text: String, _ expected: Expectation, urlSession: Expectation? = nil
    ) -> Self {
        Self(name, expected, urlSession: urlSession) { peer in
            peer.receiveRequest()
            peer.send(text)
        }
    }

    /// A response that consists of these bytes. After the bytes, the server waits.
    static func held(
        _ name: String, _ text: String, _ expected: Expectation, urlSession: Expectation? = nil
    ) -> Self {
        Self(name, expected, urlSession: urlSession) { peer in
            peer.receiveRequest()
            peer.send(text)
            peer.waitForEnd()
        }
    }

    static let limit = 100_000
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    static let all = incomplete + tooLarge + framing + malformed + misleading + interim

    static let incomplete: [Self] = [
        bytes("closed before the response", "", .error),
        Self("closed before the request", .error) { _ in },
        bytes("closed within the status line", "HTTP/1.1 20", .error),
        // FoundationNetworking of Swift 6.3 ends the process.
        bytes("closed within the head", ok + "Content-Ty", .error, urlSession: .endOfProcess),
        bytes("closed within the body", ok + "Content-Length: 10\r\n\r\nabc", .error),
        bytes("closed within a chunk", chunked + "a\r\nabc", .error),
        bytes("closed before the last chunk", chunked + "3\r\nabc\r\n", .error),
        held("no response", "", .deadline),
        held("no end of the head", ok + "A: b\r\n", .deadline),
        held("no end of the body", ok + "Content-Length: 10\r\n\r\nabc", .deadline),
        Self("one byte after another", .deadline) { peer in
            peer.receiveRequest()
            peer.send(ok + "A: ")
            while peer.pause(milliseconds: 5), peer.send("a") {}
        },
        Self("one byte of the body after another", .deadline) { peer in
            peer.receiveRequest()
            peer.send(ok + "Content-Length: 90000\r\n\r\n")
            while peer.pause(milliseconds: 5), peer.send("a") {}
        },
    ]

    static let tooLarge: [Self] = [
        bytes(
            "body over the limit",
            ok + "Content-Length: \(limit + 1)\r\n\r\n" + String(repeating: "a", count: limit + 1),
            .error),
        held(
            "length over the limit", ok + "Content-Length: 999999999999\r\n\r\n", .error, urlSession: .errorOrDeadline),
        endless("endless body", ok + "\r\n", String(repeating: "a", count: 10_000), .error),
        endless("endless chunks", chunked, "3e8\r\n" + String(repeating: "a", count: 1000) + "\r\n", .error),
        // FoundationNetworking queues an operation for each chunk, and has no flow control.
        endless(
            "endless small chunks", chunked, String(repeating: "1\r\na\r\n", count: 1000), count: 1 << 20, .error,
            urlSession: .errorOrDeadline),
        endless(
            "endless head", ok, "A: " + String(repeating: "a", count: 1000) + "\r\n", .error,
            urlSession: .errorOrDeadline),
        endless(
            "endless status line", "HTTP/1.1 200 ", String(repeating: "a", count: 1000), .error,
            urlSession: .errorOrDeadline),
        // The time of FoundationNetworking grows with the square of the number of trailers.
        endless(
            "endless trailers", chunked + "0\r\n", "A: b\r\n", count: 64 << 10, .error,
            urlSession: .errorOrDeadline),
        bytes(
            "101 fields", ok + String(repeating: "A: b\r\n", count: 101) + "Content-Length: 0\r\n\r\n", .error,
            urlSession: .responseOrError),
    ]

    static let framing: [Self] = [
        bytes("body longer than its length", ok + "Content-Length: 2\r\n\r\nabHTTP/1.1", .response(200, "ab")),
        bytes(
            "two responses", ok + "Content-Length: 1\r\n\r\na" + ok + "Content-Length: 1\r\n\r\nb", .response(200, "a")),
        bytes("body until the connection closes", ok + "\r\nabc", .response(200, "abc")),
        bytes("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nabc", .response(200, "abc")),
        bytes("204 with a body", "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc", .response(204)),
        bytes("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", .response(304)),
        bytes(
            "length and chunks", ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            .error, urlSession: .responseOrError),
        bytes(
            "two lengths", ok + "Content-Length: 3\r\nContent-Length: 2\r\n\r\nabc", .error,
            urlSession: .responseOrError),
        bytes("negative length", ok + "Content-Length: -1\r\n\r\nabc", .error, urlSession: .responseOrError),
        bytes(
            "length that overflows", ok + "Content-Length: 99999999999999999999\r\n\r\nabc", .error,
            urlSession: .responseOrError),
        bytes("chunk size that is not a number", chunked + "x\r\nabc\r\n0\r\n\r\n", .error),
        bytes("chunk size that overflows", chunked + "ffffffffffffffffff\r\nabc", .error),
        bytes("chunk that is too long", chunked + "2\r\nabc\r\n0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes(
            "unknown transfer coding", ok + "Transfer-Encoding: zip\r\n\r\nabc", .error, urlSession: .responseOrError),
    ]

    static let malformed: [Self] = [
        bytes("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", .error),
        held("another protocol, open", "SSH-2.0-OpenSSH_9.2\r\n", .error, urlSession: .errorOrDeadline),
        bytes("a page without a head", "<html>Sign in</html>", .error),
        bytes("zeros", String(repeating: "\0", count: 5000), .error),
        bytes("bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 1\n\na", .error, urlSession: .responseOrError),
        bytes("folded line", ok + "A: b\r\n c\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("folded first line", ok + " c\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("line without a colon", ok + "A\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("empty name", ok + ": a\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("zero in a value", ok + "A: b\0c\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("status 000", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("status 999", "HTTP/1.1 999 OK\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("long status", "HTTP/1.1 20000 OK\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("no status", "HTTP/1.1\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        bytes("another version", "HTTP/3.7 200 OK\r\nContent-Length: 0\r\n\r\n", .error, urlSession: .responseOrError),
        Self("bytes that are not UTF-8 in a value", .response(200), urlSession: .responseOrError) { peer in
            peer.receiveRequest()
            peer.send(Array((ok + "A: ").utf8) + [0xFF, 0xC3, 0x28] + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
        },
    ]

    static let misleading: [Self] = [
        bytes(
            "captive portal", ok + "Content-Type: text/html\r\nContent-Length: 20\r\n\r\n<html>Sign in</html>",
            .response(200, "<html>Sign in</html>")),
        unauthorized("Basic realm=\"a\""), unauthorized("Digest realm=\"a\", nonce=\"b\""), unauthorized("Bearer"),
        unauthorized("Negotiate"), unauthorized("NTLM"), unauthorized("Basic"), unauthorized(""),
        unauthorized("Basic realm=\"\u{E9}"),
        bytes("407", "HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", .response(407)),
        bytes("redirect to nowhere", "HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\n\r\n", .response(302)),
        bytes(
            "redirect to another scheme",
            "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            .response(302)),
        bytes(
            "redirect that is no address", "HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n",
            .response(302)),
        bytes(
            "redirect to itself", "HTTP/1.1 307 Again\r\nLocation: /v1/manifest\r\nContent-Length: 0\r\n\r\n",
            .response(307)),
    ]

    static let interim: [Self] = [
        bytes(
            "interim responses",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\(ok)Content-Length: 1\r\n\r\na",
            .response(200, "a")),
        endless(
            "endless interim responses", "", "HTTP/1.1 103 Early Hints\r\n\r\n", .error, urlSession: .errorOrDeadline),
        bytes("only an interim response", "HTTP/1.1 100 Continue\r\n\r\n", .error, urlSession: .responseOrError),
        bytes(
            "another protocol by status", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\n\r\nabc", .error,
            urlSession: .responseOrError),
    ]

    /// A response that the server repeats until the client closes the connection, or until the server has sent `count`
    /// bytes.
    private static func endless(
        _ name: String, _ head: String, _ piece: String, count: Int = 16 << 20, _ expected: Expectation,
        urlSession: Expectation? = nil
    ) -> Self {
        Self(name, expected, urlSession: urlSession) { peer in
            peer.receiveRequest()
            peer.send(head)
            while peer.sent < count, peer.send(piece) {}
            peer.waitForEnd()
        }
    }

    private static func unauthorized(_ challenge: String) -> Self {
        Self("401 with \(challenge)", .response(401, "no")) { peer in
            peer.receiveRequest()
            peer.respond("no", status: "401 Unauthorized", fields: "WWW-Authenticate: \(challenge)\r\n")
            peer.respondToAll()
        }
    }
}
