@testable import PlacekeeperHTTP
import Testing

@Suite struct LimitsTests {
    static let small: RequestDecoder.Limits = {
        var limits = RequestDecoder.Limits()
        limits.requestLine = 32
        limits.head = 96
        limits.fieldCount = 3
        limits.chunkExtensions = 8
        limits.trailers = 24
        return limits
    }()

    /// A message at a limit, which the decoder accepts, and a message over the limit, which the decoder refuses after
    /// `overAt` bytes.
    struct Limit: Sendable, CustomTestStringConvertible {
        var fault: Fault
        var passing: String
        var over: String
        var overAt: Int
        var testDescription: String { fault.rawValue + ": " + over.prefix(40).debugDescription }
    }

    static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static func fill(_ count: Int) -> String { String(repeating: "x", count: count) }

    static let limits: [Limit] = [
        // `GET /` and ` HTTP/1.1` take 14 of the 32 bytes.
        Limit(
            fault: .requestLineTooLong, passing: "GET /\(fill(18)) HTTP/1.1\r\nHost: a\r\n\r\n",
            over: "GET /\(fill(19)) HTTP/1.1\r\nHost: a\r\n\r\n", overAt: 25),
        Limit(
            fault: .requestLineTooLong, passing: "\(fill(21)) / HTTP/1.1\r\nHost: a\r\n\r\n",
            over: fill(40), overAt: 33),
        // Of the 96 bytes, the request line takes 16, `Host` takes 9, the text around the filler takes 5, and the empty
        // line at the end takes 2.
        Limit(
            fault: .headTooLarge, passing: "GET / HTTP/1.1\r\nHost: a\r\nX: \(fill(64))\r\n\r\n",
            over: "GET / HTTP/1.1\r\nHost: a\r\nX: \(fill(65))\r\n\r\n", overAt: 97),
        Limit(
            fault: .headTooLarge, passing: "GET / HTTP/1.1\r\nHost: a\r\n\(fill(62)):\t\t\r\n\r\n",
            over: "GET / HTTP/1.1\r\nHost: a\r\n\(fill(80)): y\r\n\r\n", overAt: 97),
        Limit(
            fault: .tooManyFields, passing: "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nX: 2\r\n\r\n",
            over: "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nX: 2\r\nX: 3\r\n\r\n", overAt: 38),
        Limit(
            fault: .chunkExtensionsTooLong, passing: chunked + "1;abc\r\nx\r\n1;abc\r\nx\r\n0\r\n\r\n",
            over: chunked + "1;abc\r\nx\r\n1;abcd\r\nx\r\n0\r\n\r\n", overAt: chunked.utf8.count + 16),
        Limit(
            fault: .trailersTooLarge, passing: chunked + "0\r\nX: \(fill(17))\r\n\r\n",
            over: chunked + "0\r\nX: \(fill(18))\r\n\r\n", overAt: chunked.utf8.count + 3 + 25),
        Limit(
            fault: .trailersTooLarge, passing: chunked + "0\r\nX: 1\r\nX: 2\r\nX: 3\r\n\r\n",
            over: chunked + "0\r\nX:\r\nX:\r\nX:\r\nX:\r\n\r\n", overAt: chunked.utf8.count + 3 + 13),
        Limit(
            fault: .requestLineMalformed,
            passing: String(repeating: "\r\n", count: 16) + "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            over: String(repeating: "\r\n", count: 17), overAt: 34),
    ]

    @Test(arguments: limits)
    func acceptsAtTheLimitAndRefusesAtTheFirstByteOverIt(_ limit: Limit) {
        let passing = Array(limit.passing.utf8)
        let passed = Transcript(whole: passing, limits: Self.small)
        #expect(passed.refusal == nil)
        #expect(passed.messages.map(\.isWhole) == [true])
        #expect(Transcript(byteByByte: passing, limits: Self.small) == passed)

        let over = Array(limit.over.utf8)
        let refused = Transcript(whole: over, limits: Self.small)
        #expect(refused.refusal == Refusal(limit.fault))
        #expect(Transcript(byteByByte: over, limits: Self.small) == refused)
        let crossing = Transcript(byteByByte: Array(over.prefix(limit.overAt)), limits: Self.small)
        #expect(crossing.refusal == Refusal(limit.fault))
        #expect(Transcript(byteByByte: Array(over.prefix(limit.overAt - 1)), limits: Self.small).refusal == nil)
    }

    @Test func refusesMessagesOverTheDefaultLimits() {
        func head(line: Int, fields: Int) -> [UInt8] {
            let line = "GET /" + Self.fill(line - 14) + " HTTP/1.1\r\nHost: a\r\n"
            return Array((line + String(repeating: "X: 1\r\n", count: fields - 1) + "\r\n").utf8)
        }
        #expect(Transcript(whole: head(line: 8192, fields: 100)).refusal == nil)
        #expect(Transcript(whole: head(line: 8193, fields: 1)).refusal?.status == .uriTooLong)
        #expect(Transcript(whole: head(line: 14, fields: 101)).refusal?.status == .requestHeaderFieldsTooLarge)
        let large = "GET / HTTP/1.1\r\nHost: a\r\nX: " + Self.fill(32 * 1024 - 32)
        #expect(Transcript(whole: Array((large + "\r\n\r\n").utf8)).refusal == nil)
        #expect(Transcript(whole: Array((large + "x\r\n\r\n").utf8)).refusal == Refusal(.headTooLarge))
    }

    @Test func acceptsLengthsUpTo63Bits() {
        let length = Transcript(
            whole: Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nx".utf8))
        #expect(length.messages.first?.framing == .length(.max))
        #expect(length.isInsideMessage)
        let chunk = Transcript(byteByByte: Array((Self.chunked + "7fffffffffffffff\r\nx").utf8))
        #expect(chunk.refusal == nil)
        #expect(chunk.messages.first?.body == [0x78])
    }

    @Test func appliesLimitsToEachMessageSeparately() {
        let request = LimitsTests.chunked + "1;abcdefg\r\nx\r\n0\r\nX: 1\r\nX: 2\r\nX: 3\r\n\r\n"
        let transcript = Transcript(whole: Array((request + request).utf8), limits: Self.small)
        #expect(transcript.messages.map(\.isWhole) == [true, true])
    }

    @Test func hasTheDocumentedDefaultLimits() {
        let limits = RequestDecoder.Limits()
        #expect(limits.requestLine == 8192)
        #expect(limits.head == 32_768)
        #expect(limits.fieldCount == 100)
        #expect(limits.chunkExtensions == 4096)
        #expect(limits.trailers == 8192)
    }
}
