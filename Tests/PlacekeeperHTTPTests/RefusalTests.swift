@testable import PlacekeeperHTTP
import Testing

@Suite struct RefusalTests {
    /// A refused message and its fault.
    struct Refused: Sendable, CustomTestStringConvertible {
        var fault: Fault
        var bytes: [UInt8]
        /// The number of bytes after the byte that causes the refusal.
        var behind: Int
        var testDescription: String { "\(fault.rawValue): \(String(decoding: bytes, as: UTF8.self).debugDescription)" }

        init(_ fault: Fault, _ text: String, behind: String = "") {
            self.fault = fault
            bytes = [UInt8]((text + behind).utf8)
            self.behind = behind.utf8.count
        }
    }

    static let host = "GET / HTTP/1.1\r\nHost: a\r\n"
    static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let requestLines: [Refused] = [
        Refused(.bareLineFeed, "\n", behind: "GET / HTTP/1.1\r\n"),
        Refused(.bareCarriageReturn, "\rG", behind: "ET / HTTP/1.1\r\n"),
        Refused(.methodInvalid, " ", behind: "/ HTTP/1.1\r\n"),
        Refused(.methodInvalid, "GE(", behind: "T / HTTP/1.1\r\n"),
        Refused(.methodInvalid, "GET\t", behind: "/ HTTP/1.1\r\n"),
        Refused(.methodInvalid, "GET\r", behind: "\n\r\n"),
        Refused(.controlByte, "G\0", behind: "ET / HTTP/1.1\r\n"),
        Refused(.methodNotImplemented, "CONNECT ", behind: "a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
        Refused(.requestLineMalformed, "GET  ", behind: "/ HTTP/1.1\r\n"),
        Refused(.requestLineMalformed, "GET /\r", behind: "\n"),
        Refused(.bareLineFeed, "GET /\n", behind: "\n"),
        Refused(.controlByte, "GET /\u{1}", behind: " HTTP/1.1\r\n"),
        Refused(.controlByte, "GET /\u{7F}", behind: " HTTP/1.1\r\n"),
        Refused(.targetInvalid, "GET /\t", behind: " HTTP/1.1\r\n"),
        Refused(.targetInvalid, "GET /é", behind: " HTTP/1.1\r\n"),
        Refused(.targetInvalid, "GET * ", behind: "HTTP/1.1\r\n"),
        Refused(.targetInvalid, "GET a ", behind: "HTTP/1.1\r\n"),
        Refused(.targetInvalid, "OPTIONS ** ", behind: "HTTP/1.1\r\n"),
        Refused(.targetInvalid, "GET ftp://a/ ", behind: "HTTP/1.1\r\n"),
        Refused(.targetInvalid, "GET http:/a ", behind: "HTTP/1.1\r\n"),
        Refused(.hostInvalid, "GET http:// ", behind: "HTTP/1.1\r\n"),
        Refused(.hostInvalid, "GET http:///a ", behind: "HTTP/1.1\r\n"),
        Refused(.hostInvalid, "GET http://a:b/ ", behind: "HTTP/1.1\r\n"),
        Refused(.targetEncodingInvalid, "GET /% ", behind: "HTTP/1.1\r\n"),
        Refused(.targetEncodingInvalid, "GET /%4 ", behind: "HTTP/1.1\r\n"),
        Refused(.targetEncodingInvalid, "GET /%4g?a ", behind: "HTTP/1.1\r\n"),
        Refused(.targetEncodingInvalid, "GET /a?%%41 ", behind: "HTTP/1.1\r\n"),
        Refused(.versionMalformed, "GET / h", behind: "ttp/1.1\r\n"),
        Refused(.versionMalformed, "GET / HTTP/1,", behind: "1\r\n"),
        Refused(.versionMalformed, "GET / HTTP/1.10", behind: "\r\n"),
        Refused(.versionMalformed, "GET / HTTP/1.1 ", behind: "\r\n"),
        Refused(.versionMalformed, "GET /a b", behind: " HTTP/1.1\r\n"),
        Refused(.bareLineFeed, "GET / HTTP/1.1\n", behind: "Host: a\n\n"),
        Refused(.bareCarriageReturn, "GET / HTTP/1.1\rH", behind: "ost: a\r\n\r\n"),
        Refused(.versionUnsupported, "GET / HTTP/1.2\r", behind: "\n\r\n"),
        Refused(.versionUnsupported, "GET / HTTP/2.0\r", behind: "\n\r\n"),
        Refused(.versionUnsupported, "GET / HTTP/0.9\r", behind: "\n\r\n"),
    ]

    static let fields: [Refused] = [
        Refused(.hostMissing, "GET / HTTP/1.1\r\n\r\n"),
        Refused(.hostMissing, "GET http://a/ HTTP/1.1\r\n\r\n"),
        Refused(.hostRepeated, host + "Host: a\r\n", behind: "\r\n"),
        Refused(.hostRepeated, "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: a b\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: a/b\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: u@a\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: a:8x\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: :80\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: [::1\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: []\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: [::1]x\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: %4\r\n", behind: "\r\n"),
        Refused(.hostInvalid, "GET / HTTP/1.1\r\nHost: é\r\n", behind: "\r\n"),
        Refused(.lineFolding, "GET / HTTP/1.1\r\n ", behind: "Host: a\r\n\r\n"),
        Refused(.lineFolding, host + "\t", behind: "b\r\n\r\n"),
        Refused(.fieldNameInvalid, host + ":", behind: " b\r\n\r\n"),
        Refused(.fieldNameInvalid, host + "a\r", behind: "\n\r\n"),
        Refused(.fieldNameInvalid, host + "(", behind: ": b\r\n\r\n"),
        Refused(.fieldNameInvalid, host + "Ké", behind: ": b\r\n\r\n"),
        Refused(.spaceBeforeColon, host + "a ", behind: ": b\r\n\r\n"),
        Refused(.spaceBeforeColon, host + "a\t", behind: ": b\r\n\r\n"),
        Refused(.bareLineFeed, host + "a\n", behind: "\r\n"),
        Refused(.bareLineFeed, host + "a: b\n", behind: "\r\n"),
        Refused(.bareLineFeed, host + "\n", behind: "\r\n"),
        Refused(.bareCarriageReturn, host + "a: b\rc", behind: ": d\r\n\r\n"),
        Refused(.bareCarriageReturn, host + "\rZ", behind: "\r\n"),
        Refused(.controlByte, host + "a\0", behind: "b: c\r\n\r\n"),
        Refused(.controlByte, host + "a: b\0", behind: "c\r\n\r\n"),
        Refused(.controlByte, host + "a: eight or more\u{1F}", behind: "c\r\n\r\n"),
        Refused(.controlByte, host + "a: b\t\u{7F}", behind: "c\r\n\r\n"),
        Refused(.expectationUnsupported, host + "Expect: tea\r\n\r\n"),
        Refused(.expectationUnsupported, host + "Content-Length: 1\r\nExpect: 100-continue, tea\r\n\r\n", behind: "x"),
    ]

    static let lengths: [Refused] = [
        Refused(.contentLengthRepeated, host + "Content-Length: 1\r\nContent-Length: 2\r\n", behind: "\r\n"),
        Refused(.contentLengthRepeated, host + "Content-Length: 1\r\nContent-Length: 1\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length: 1, 1\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length: 4 2\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length:\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length: +1\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length: -1\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length: 0x1\r\n", behind: "\r\n"),
        Refused(.contentLengthInvalid, host + "Content-Length: 1_0\r\n", behind: "\r\n"),
        Refused(.contentLengthTooLarge, host + "Content-Length: 9223372036854775808\r\n", behind: "\r\n"),
        Refused(.contentLengthTooLarge, host + "Content-Length: 99999999999999999999999\r\n", behind: "\r\n"),
        Refused(.transferEncodingWithContentLength, host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Refused(.transferEncodingWithContentLength, host + "Transfer-Encoding: x\r\nContent-Length: 1\r\n\r\n"),
        Refused(.transferEncodingInOldVersion, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Refused(.transferEncodingInvalid, host + "Transfer-Encoding:\r\n", behind: "\r\n"),
        Refused(.transferEncodingInvalid, host + "Transfer-Encoding: ,\r\n", behind: "\r\n"),
        Refused(.transferEncodingInvalid, host + "Transfer-Encoding: chunked;a=b\r\n", behind: "\r\n"),
        Refused(.transferEncodingInvalid, host + "Transfer-Encoding: chunked x\r\n", behind: "\r\n"),
        Refused(.transferEncodingInvalid, host + "Transfer-Encoding: \"chunked\"\r\n", behind: "\r\n"),
        Refused(.chunkedRepeated, host + "Transfer-Encoding: chunked, chunked\r\n\r\n"),
        Refused(.chunkedRepeated, host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Refused(.chunkedNotLast, host + "Transfer-Encoding: chunked, gzip\r\n\r\n"),
        Refused(.chunkedNotLast, host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n"),
        Refused(.transferCodingUnsupported, host + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
        Refused(.transferCodingUnsupported, host + "Transfer-Encoding: xchunked\r\n\r\n"),
        Refused(.transferCodingUnsupported, host + "Transfer-Encoding: x;y=\"chunked, z\"\r\n\r\n"),
    ]

    static let chunks: [Refused] = [
        Refused(.chunkSizeInvalid, chunked + "\r", behind: "\n"),
        Refused(.chunkSizeInvalid, chunked + "+", behind: "1\r\n"),
        Refused(.chunkSizeInvalid, chunked + "-", behind: "1\r\n"),
        Refused(.chunkSizeInvalid, chunked + "0x", behind: "1\r\n"),
        Refused(.chunkSizeInvalid, chunked + "1_", behind: "0\r\n"),
        Refused(.chunkSizeInvalid, chunked + " ", behind: "1\r\n"),
        Refused(.chunkSizeInvalid, chunked + "g", behind: "\r\n"),
        Refused(.bareLineFeed, chunked + "1\n", behind: "x"),
        Refused(.bareCarriageReturn, chunked + "1\rx", behind: "\r\n"),
        Refused(.chunkSizeTooLarge, chunked + "8000000000000000", behind: "\r\n"),
        Refused(.chunkSizeTooLarge, chunked + "ffffffffffffffff", behind: "\r\n"),
        Refused(.chunkSizeTooLarge, chunked + "00000000000000001", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1 \r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1 x", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;\r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;=", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=\r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a b", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=b c", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=b=", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=\"b\"c", behind: "\r\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a \r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=b \r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=\"b\"\t\r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=\"b\r", behind: "\n"),
        Refused(.chunkExtensionInvalid, chunked + "1;a=\"\\\r", behind: "\n"),
        Refused(.bareLineFeed, chunked + "1;a\n", behind: "x"),
        Refused(.bareLineFeed, chunked + "1;a=\"\n", behind: "x"),
        Refused(.controlByte, chunked + "1;\0", behind: "\r\n"),
        Refused(.chunkUnterminated, chunked + "1\r\nxy", behind: "\r\n"),
        Refused(.chunkUnterminated, chunked + "1\r\nx\n", behind: "0\r\n"),
        Refused(.chunkUnterminated, chunked + "1\r\nx\r0", behind: "\r\n"),
        Refused(.lineFolding, chunked + "0\r\n ", behind: "a: b\r\n\r\n"),
        Refused(.fieldNameInvalid, chunked + "0\r\n:", behind: " b\r\n\r\n"),
        Refused(.fieldNameInvalid, chunked + "0\r\na\r", behind: "\n\r\n"),
        Refused(.spaceBeforeColon, chunked + "0\r\na ", behind: ": b\r\n\r\n"),
        Refused(.bareLineFeed, chunked + "0\r\na: b\n", behind: "\r\n"),
        Refused(.bareCarriageReturn, chunked + "0\r\na: b\rx", behind: "\r\n"),
        Refused(.controlByte, chunked + "0\r\na: \u{7F}", behind: "\r\n"),
        Refused(.bareCarriageReturn, chunked + "0\r\n\rx", behind: "\r\n"),
    ]

    @Test(arguments: [requestLines, fields, lengths, chunks].joined())
    func refusesTheSameForEverySplitAndWithAFollowingRequest(_ refused: Refused) {
        let whole = Transcript(whole: refused.bytes)
        #expect(whole.refusal == Refusal(refused.fault))
        #expect(!whole.messages.contains { $0.isWhole })
        #expect(!whole.isInsideMessage)
        let next = [UInt8](RequestDecoderTests.next.utf8)
        #expect(Transcript(whole: refused.bytes + next) == whole)
        #expect(Transcript(byteByByte: refused.bytes + next) == whole)
    }

    @Test(arguments: [requestLines, fields, lengths, chunks].joined())
    func refusesAtTheFirstByteThatMakesTheFaultCertain(_ refused: Refused) {
        let certain = refused.bytes.dropLast(refused.behind)
        #expect(Transcript(byteByByte: [UInt8](certain)).refusal == Refusal(refused.fault))
        let before = Transcript(byteByByte: [UInt8](certain.dropLast(certain.last.map { $0 > 0x7F } == true ? 2 : 1)))
        #expect(before.refusal == nil)
    }

    @Test func mapsEachFaultToItsStatusAndCode() {
        let statuses: [Fault: Status] = [
            .methodNotImplemented: .notImplemented, .transferCodingUnsupported: .notImplemented,
            .versionUnsupported: .httpVersionNotSupported, .expectationUnsupported: .expectationFailed,
            .requestLineTooLong: .uriTooLong, .headTooLarge: .requestHeaderFieldsTooLarge,
            .tooManyFields: .requestHeaderFieldsTooLarge, .trailersTooLarge: .requestHeaderFieldsTooLarge,
        ]
        for fault in Fault.allCases {
            let refusal = Refusal(fault)
            #expect(refusal.status == statuses[fault, default: .badRequest])
            #expect(refusal.code == fault.rawValue)
            #expect(refusal.code.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
            #expect(refusal.message.hasSuffix("."))
        }
    }

    @Test func refusesIncompleteMessageAtEndOfInput() {
        var decoder = RequestDecoder()
        #expect(decoder.refusalAtEndOfInput == nil)
        _ = Array("GET".utf8).withUnsafeBytes { decoder.next($0) }
        #expect(decoder.refusalAtEndOfInput == Refusal(.messageIncomplete))
    }
}
