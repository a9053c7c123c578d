@testable import PlacekeeperHTTP
import Testing

@Suite struct ResponseDecoderTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        var text: String
        var method = "GET"
        var status: Int
        var framing: ResponseHead.Framing
        var body = ""
        var keepsAlive = true
        var testDescription: String { method + " " + text.debugDescription }
    }

    static let accepted: [Accepted] = [
        Accepted(
            text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", status: 200, framing: .length(3), body: "abc"),
        Accepted(text: "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", status: 200, framing: .length(0)),
        Accepted(text: "HTTP/1.1 503 \u{E9}\t!\r\nContent-Length: 0\r\n\r\n", status: 503, framing: .length(0)),
        Accepted(text: "HTTP/1.1 204 No Content\r\n\r\n", status: 204, framing: .none),
        Accepted(text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304, framing: .none),
        Accepted(
            text: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", method: "HEAD", status: 200, framing: .none),
        Accepted(
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n1\r\nc\r\n0\r\nX: 1\r\n\r\n",
            status: 200, framing: .chunked, body: "abc"),
        Accepted(
            text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
            status: 404, framing: .length(2), body: "no"),
        Accepted(
            text: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\na", status: 200,
            framing: .length(1), body: "a", keepsAlive: false),
        Accepted(
            text: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", status: 200, framing: .length(1), body: "a",
            keepsAlive: false),
        Accepted(
            text: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\na", status: 200,
            framing: .length(1), body: "a"),
    ]

    @Test(arguments: accepted)
    func readsTheSameResponseForEverySplitAndWithFollowingBytes(_ accepted: Accepted) {
        let bytes = Array(accepted.text.utf8)
        let whole = ResponseTranscript(of: bytes, to: accepted.method, length: bytes.count)
        #expect(whole.head?.status == accepted.status)
        #expect(whole.head?.framing == accepted.framing)
        #expect(whole.head?.keepsAlive == accepted.keepsAlive)
        #expect(whole.body == Array(accepted.body.utf8))
        #expect(whole.isWhole && whole.code == nil && whole.unread == 0)
        for length in 1...7 {
            #expect(ResponseTranscript(of: bytes, to: accepted.method, length: length) == whole)
        }
        var followed = ResponseTranscript(of: bytes + bytes, to: accepted.method, length: 2 * bytes.count)
        #expect(followed.unread == bytes.count)
        followed.unread = 0
        #expect(followed == whole)
    }

    @Test func readsBodyUntilTheConnectionCloses() {
        let bytes = Array("HTTP/1.1 200 OK\r\nServer: a\r\n\r\nabc".utf8)
        let open = ResponseTranscript(of: bytes, length: 5)
        #expect(open.body == Array("abc".utf8))
        #expect(!open.isWhole)
        #expect(open.head?.keepsAlive == false)
        let closed = ResponseTranscript(of: bytes, length: 5, closes: true)
        #expect(closed.isWhole && closed.body == open.body)
    }

    @Test func givesFieldNamesInLowerCaseAndTrimsValues() {
        let bytes = Array("HTTP/1.1 200 OK\r\nETag: \t\"a\" \r\nX-Y:\r\nContent-Length: 0\r\n\r\n".utf8)
        #expect(
            ResponseTranscript(of: bytes, length: bytes.count).head?.fields == [
                .init(name: "etag", value: "\"a\""), .init(name: "x-y", value: ""),
                .init(name: "content-length", value: "0"),
            ])
    }

    /// A refused response, and the number of its bytes at which the fault is certain.
    struct Refused: Sendable, CustomTestStringConvertible {
        var fault: Fault
        var text: String
        var testDescription: String { fault.rawValue + ": " + text.debugDescription }

        init(_ fault: Fault, _ text: String) { (self.fault, self.text) = (fault, text) }
    }

    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// Each text ends with the byte that makes the fault certain.
    static let refused: [Refused] = [
        Refused(.versionMalformed, "<"), Refused(.versionMalformed, "http"[...].prefix(1).description),
        Refused(.bareLineFeed, "\n"), Refused(.versionMalformed, "\r"), Refused(.controlByte, "\0"),
        Refused(.versionMalformed, "HTTP/2"), Refused(.versionMalformed, "HTTP/1.2"),
        Refused(.versionMalformed, "HTTP/1.1\t"), Refused(.statusMalformed, "HTTP/1.1  "),
        Refused(.statusMalformed, "HTTP/1.1 0"), Refused(.statusMalformed, "HTTP/1.1 6"),
        Refused(.statusMalformed, "HTTP/1.1 20 "), Refused(.statusMalformed, "HTTP/1.1 2000"),
        Refused(.statusMalformed, "HTTP/1.1 200\r"), Refused(.bareLineFeed, "HTTP/1.1 200 OK\n"),
        Refused(.controlByte, "HTTP/1.1 200 O\0"), Refused(.bareCarriageReturn, "HTTP/1.1 200 OK\rX"),
        Refused(.versionUnsupported, "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        Refused(.lineFolding, ok + " "), Refused(.lineFolding, ok + "A: b\r\n\t"),
        Refused(.fieldNameInvalid, ok + ":"), Refused(.spaceBeforeColon, ok + "A "),
        Refused(.bareLineFeed, ok + "A: b\n"), Refused(.bareLineFeed, ok + "\n"),
        Refused(.bareCarriageReturn, ok + "A: b\rc"), Refused(.controlByte, ok + "A: b\0"),
        Refused(.contentLengthRepeated, ok + "Content-Length: 1\r\nContent-Length: 2\r\n"),
        Refused(.contentLengthRepeated, ok + "Content-Length: 1\r\nContent-Length: 1\r\n"),
        Refused(.contentLengthInvalid, ok + "Content-Length: 1, 1\r\n"),
        Refused(.contentLengthInvalid, ok + "Content-Length: -1\r\n"),
        Refused(.contentLengthInvalid, ok + "Content-Length:\r\n"),
        Refused(.contentLengthTooLarge, ok + "Content-Length: 9223372036854775808\r\n"),
        Refused(.bodyTooLarge, ok + "Content-Length: 1048577\r\n\r\n"),
        Refused(
            .transferEncodingWithContentLength, ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Refused(.transferEncodingInOldVersion, "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Refused(.transferCodingUnsupported, ok + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
        Refused(.chunkedNotLast, ok + "Transfer-Encoding: chunked, gzip\r\n\r\n"),
        Refused(.chunkedRepeated, ok + "Transfer-Encoding: chunked, chunked\r\n\r\n"),
        Refused(.chunkSizeInvalid, chunked + "0x"), Refused(.chunkSizeInvalid, chunked + "-"),
        Refused(.bareLineFeed, chunked + "1\n"), Refused(.chunkSizeTooLarge, chunked + "ffffffffffffffff"),
        Refused(.chunkUnterminated, chunked + "1\r\nab"), Refused(.fieldNameInvalid, chunked + "0\r\n:"),
    ]

    @Test(arguments: refused)
    func refusesAtTheFirstByteThatMakesTheFaultCertain(_ refused: Refused) {
        let bytes = Array(refused.text.utf8)
        let whole = ResponseTranscript(of: bytes, length: bytes.count)
        #expect(whole.code == refused.fault.rawValue)
        #expect(!whole.isWhole)
        #expect(ResponseTranscript(of: bytes, length: 1).code == refused.fault.rawValue)
        #expect(ResponseTranscript(of: bytes + Array(Self.ok.utf8), length: 1000).code == refused.fault.rawValue)
        #expect(ResponseTranscript(of: bytes.dropLast(), length: 1).code == nil)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", chunked + "3\r\nabc\r\n", "HTTP/1.1 20", ""])
    func refusesIncompleteResponseAtTheEndOfTheConnection(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(ResponseTranscript(of: bytes, length: 3, closes: true).code == Fault.messageIncomplete.rawValue)
        #expect(ResponseTranscript(of: bytes, length: 3).code == nil)
    }

    @Test(arguments: [
        chunked + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", ok + "\r\nabcde", ok + "Content-Length: 5\r\n\r\nabcde",
    ])
    func refusesBodyOverTheLimit(_ text: String) {
        let bytes = Array(text.utf8)
        for length in [1, 4, bytes.count] {
            let over = ResponseTranscript(of: bytes, length: length, closes: true, bodyLimit: 4)
            #expect(over.code == Fault.bodyTooLarge.rawValue)
            #expect(over.body.count <= 4)
            #expect(ResponseTranscript(of: bytes, length: length, closes: true, bodyLimit: 5).isWhole)
        }
    }

    @Test func refusesLargeHeads() {
        func code(_ text: String) -> String? {
            ResponseTranscript(of: Array(text.utf8), length: 100, limits: LimitsTests.small).code
        }
        let fields = String(repeating: "X: 1\r\n", count: 4)
        #expect(code("HTTP/1.1 200 OK\r\n" + fields) == Fault.tooManyFields.rawValue)
        #expect(code("HTTP/1.1 200 OK\r\nX: " + LimitsTests.fill(100)) == Fault.headTooLarge.rawValue)
        #expect(code("HTTP/1.1 200 " + LimitsTests.fill(40)) == Fault.headTooLarge.rawValue)
    }

    @Test func refusesEndlessInterimResponses() {
        let text = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 9)
        for length in [1, text.utf8.count] {
            #expect(
                ResponseTranscript(of: Array(text.utf8), length: length).code == Fault.tooManyInterimResponses.rawValue)
        }
    }

    @Test(arguments: 0..<40)
    func readsTheSameForEverySplitOfDamagedResponses(seed: UInt64) {
        var random = SplitPropertyTests.SplitMix(state: seed)
        let texts = Self.accepted.map(\.text) + Self.refused.map(\.text)
        for _ in 0..<50 {
            var bytes = Array((texts.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] = Array("\r\n :;,\0\t9fHT".utf8).randomElement(using: &random) ?? 0
            }
            let whole = ResponseTranscript(of: bytes, length: bytes.count, closes: true)
            var split = ResponseTranscript(of: bytes, length: Int.random(in: 1...9, using: &random), closes: true)
            // A refused response is abandoned, so its unread bytes do not matter.
            if split.code != nil { split.unread = whole.unread }
            #expect(split == whole, "\(bytes)")
        }
    }
}
