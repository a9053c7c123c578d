@testable import PlacekeeperHTTP
import Testing

@Suite struct ResponseEncoderTests {
    /// A response with its framing context, and the exact bytes that are sent.
    struct Sent: Sendable, CustomTestStringConvertible {
        var method = Method.get
        var minorVersion: UInt8 = 1
        var keepsAlive = true
        var response: Response
        var text: String
        var framing: ResponseEncoder.Framing = .none
        var staysOpen = true
        var testDescription: String { "\(method) HTTP/1.\(minorVersion): \(text.debugDescription)" }
    }

    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let dateLine = "Date: \(date)\r\n"

    static func plain(_ status: Status, _ body: Response.Body) -> Response {
        var fields = ResponseFields()
        fields.add(.contentType, "text/plain")
        return Response(status, fields: fields, body: body)
    }

    static let hello = plain(.ok, .bytes(Array("hello".utf8)))
    static let stream = plain(.ok, .stream { _ in })

    static let sent: [Sent] = [
        Sent(
            response: hello,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)Content-Length: 5\r\n\r\nhello",
            framing: .length),
        Sent(
            method: .head, response: hello,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)Content-Length: 5\r\n\r\n"),
        Sent(
            keepsAlive: false, response: hello,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)"
                + "Content-Length: 5\r\nConnection: close\r\n\r\nhello",
            framing: .length, staysOpen: false),
        Sent(
            minorVersion: 0, response: hello,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)"
                + "Content-Length: 5\r\nConnection: keep-alive\r\n\r\nhello",
            framing: .length),
        Sent(
            method: .post, response: Response(.created),
            text: "HTTP/1.1 201 Created\r\n\(dateLine)Content-Length: 0\r\n\r\n"),
        Sent(
            response: Response(.ok, body: .bytes([])),
            text: "HTTP/1.1 200 OK\r\n\(dateLine)Content-Length: 0\r\n\r\n"),
        Sent(method: .delete, response: Response(.noContent), text: "HTTP/1.1 204 No Content\r\n\(dateLine)\r\n"),
        Sent(
            response: plain(.notModified, .bytes([1])),
            text: "HTTP/1.1 304 Not Modified\r\nContent-Type: text/plain\r\n\(dateLine)\r\n"),
        Sent(
            response: plain(.noContent, .stream { _ in }),
            text: "HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\n\(dateLine)\r\n"),
        Sent(
            response: stream,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)Transfer-Encoding: chunked\r\n\r\n",
            framing: .chunked),
        Sent(
            method: .head, response: stream,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)Transfer-Encoding: chunked\r\n\r\n"),
        Sent(
            minorVersion: 0, response: stream,
            text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(dateLine)Connection: close\r\n\r\n",
            framing: .untilClose, staysOpen: false),
        Sent(
            response: Response(Status(rawValue: 299)),
            text: "HTTP/1.1 299 \r\n\(dateLine)Content-Length: 0\r\n\r\n"),
    ]

    @Test(arguments: sent)
    func encodesEachResponseExactly(_ sent: Sent) {
        var out = Array("before".utf8)
        let exchange = ResponseEncoder.FramingContext(
            method: sent.method, minorVersion: sent.minorVersion, keepsAlive: sent.keepsAlive)
        let plan = ResponseEncoder.append(sent.response, for: exchange, date: Array(Self.date.utf8), to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "before" + sent.text)
        #expect(plan == ResponseEncoder.Plan(framing: sent.framing, keepsAlive: sent.staysOpen))
    }

    @Test func takesTheFramingContextFromTheHead() throws {
        let head = try RequestHead.read("HEAD / HTTP/1.0\r\n\r\n")
        let exchange = ResponseEncoder.FramingContext(head)
        #expect(exchange.method == .head)
        #expect(exchange.minorVersion == 0)
        #expect(!exchange.keepsAlive)
    }

    @Test func hasAStatusLineForEveryNamedStatus() {
        for status in [
            Status.ok, .created, .noContent, .notModified, .badRequest, .unauthorized, .forbidden, .notFound,
            .methodNotAllowed, .notAcceptable, .requestTimeout, .conflict, .gone, .preconditionFailed, .contentTooLarge,
            .uriTooLong, .unsupportedMediaType, .expectationFailed, .unprocessableContent, .tooManyRequests,
            .requestHeaderFieldsTooLarge, .internalServerError, .notImplemented, .serviceUnavailable,
            .httpVersionNotSupported, .insufficientStorage,
        ] {
            #expect(status.line?.description.hasPrefix("HTTP/1.1 \(status.rawValue) ") == true)
            #expect(status.line?.description.hasSuffix("\r\n") == true)
        }
    }

    @Test func encodesChunks() {
        var out: [UInt8] = []
        ResponseEncoder.append(chunk: Array("hello".utf8), to: &out)
        ResponseEncoder.append(chunk: [], to: &out)
        ResponseEncoder.append(chunk: Array(repeating: 0x78, count: 0x1AF), to: &out)
        ResponseEncoder.appendLastChunk(to: &out)
        let long = String(repeating: "x", count: 0x1AF)
        #expect(String(decoding: out, as: UTF8.self) == "5\r\nhello\r\n1af\r\n\(long)\r\n0\r\n\r\n")
    }

    @Test func encodesChunksThatTheDecoderReads() {
        var out = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        ResponseEncoder.append(chunk: Array(repeating: 0, count: 70_000), to: &out)
        ResponseEncoder.append(chunk: [1], to: &out)
        ResponseEncoder.appendLastChunk(to: &out)
        let transcript = Transcript(of: out, lengths: repeatElement(4096, count: 20))
        #expect(transcript.messages.map(\.isWhole) == [true])
        #expect(transcript.messages.first?.body == Array(repeating: 0, count: 70_000) + [1])
    }

    @Test func encodesTheContinueResponse() {
        var out: [UInt8] = []
        ResponseEncoder.appendContinue(to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    }
}
