@testable import PlacekeeperHTTP
import Testing

@Suite struct RequestDecoderTests {
    static let next = "GET /next HTTP/1.1\r\nHost: b\r\n\r\n"

    /// A request and the expected message.
    struct Accepted: Sendable, CustomTestStringConvertible {
        var text: String
        var expected: Transcript.Message
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ change: (inout Transcript.Message) -> Void) {
            self.text = text
            expected = Transcript.Message(
                method: .get, minorVersion: 1, path: "/", authority: "a", fields: ["Host: a"], framing: .none,
                keepsAlive: true, expectsContinue: false, isWhole: true)
            change(&expected)
        }
    }

    static let accepted: [Accepted] = [
        Accepted("GET / HTTP/1.1\r\nHost: a\r\n\r\n") { _ in },
        Accepted("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n") { _ in },
        Accepted("GET / HTTP/1.1\r\nHost:a\r\n\r\n") { _ in },
        Accepted("GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n") { _ in },
        Accepted("GET / HTTP/1.0\r\n\r\n") {
            $0.minorVersion = 0
            $0.authority = nil
            $0.fields = []
            $0.keepsAlive = false
        },
        Accepted("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n") {
            $0.minorVersion = 0
            $0.authority = nil
            $0.fields = ["Connection: Keep-Alive"]
        },
        Accepted("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close ,keep-alive\r\n\r\n") {
            $0.fields += ["Connection: x, Close ,keep-alive"]
            $0.keepsAlive = false
        },
        Accepted("GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nConnection: close\r\n\r\n") {
            $0.fields += ["Connection: x", "Connection: close"]
            $0.keepsAlive = false
        },
        Accepted("GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: a\tb\u{E9} c\r\n\r\n") {
            $0.fields += ["X: ", "Y: a\tb\u{E9} c"]
        },
        Accepted("PUT /a?b=c?d HTTP/1.1\r\nHost: a:80\r\nContent-Length: 003\r\n\r\nxyz") {
            $0.method = .put
            $0.path = "/a"
            $0.query = "b=c?d"
            $0.authority = "a:80"
            $0.fields = ["Host: a:80", "Content-Length: 003"]
            $0.framing = .length(3)
            $0.body = [UInt8]("xyz".utf8)
        },
        Accepted("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nexpect: 100-Continue\r\n\r\nx") {
            $0.method = .post
            $0.fields += ["Content-Length: 1", "expect: 100-Continue"]
            $0.framing = .length(1)
            $0.expectsContinue = true
            $0.body = [0x78]
        },
        // A request without content needs no 100 response, and HTTP/1.0 has no such response (RFC 9110 section 10.1.1).
        Accepted("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n") {
            $0.fields += ["Expect: 100-continue"]
        },
        Accepted("POST / HTTP/1.0\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx") {
            $0.method = .post
            $0.minorVersion = 0
            $0.fields += ["Content-Length: 1", "Expect: 100-continue"]
            $0.framing = .length(1)
            $0.keepsAlive = false
            $0.body = [0x78]
        },
        Accepted(
            "PATCH / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: Chunked\r\n\r\n"
                + "5\r\nhello\r\n00A;a=b ; c=\"d\\\";\";e\r\n0123456789\r\n0\r\nContent-Length: 9\r\nX: \r\n\r\n"
        ) {
            $0.method = .patch
            $0.fields += ["transfer-encoding: Chunked"]
            $0.framing = .chunked
            $0.body = [UInt8]("hello0123456789".utf8)
        },
        Accepted("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: , chunked ,\r\n\r\n000\r\n\r\n") {
            $0.method = .post
            $0.fields += ["Transfer-Encoding: , chunked ,"]
            $0.framing = .chunked
        },
        Accepted("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.method = .other
            $0.path = "/pot"
        },
        Accepted("get / HTTP/1.1\r\nHost: a\r\n\r\n") { $0.method = .other },
        Accepted("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.method = .options
            $0.path = "*"
        },
        Accepted("GET http://b:8080/x?y HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.path = "/x"
            $0.query = "y"
            $0.authority = "b:8080"
        },
        Accepted("GET HTTPS://user:p%40ss@[::1]:8443?y HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.query = "y"
            $0.authority = "[::1]:8443"
        },
        Accepted("GET http://b HTTP/1.1\r\nHost: a\r\n\r\n") { $0.authority = "b" },
        Accepted("GET /a%2Fb?#c?d HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.path = "/a%2Fb"
            $0.query = ""
        },
        Accepted("GET //x/\"{|}\\^` HTTP/1.1\r\nHost: \r\n\r\n") {
            $0.path = "//x/\"{|}\\^`"
            $0.authority = ""
            $0.fields = ["Host: "]
        },
        Accepted("GET / HTTP/1.1\r\nhOST: %C3%B1.example:\r\n\r\n") {
            $0.authority = "%C3%B1.example:"
            $0.fields = ["hOST: %C3%B1.example:"]
        },
    ]

    @Test(arguments: accepted)
    func decodesTheSameForEverySplitAndWithAFollowingRequest(_ accepted: Accepted) {
        let bytes = [UInt8](accepted.text.utf8)
        let whole = Transcript(whole: bytes)
        #expect(whole.messages == [accepted.expected])
        #expect(whole.refusal == nil)
        #expect(!whole.isInsideMessage)
        #expect(Transcript(byteByByte: bytes) == whole)

        let followed = Transcript(whole: bytes + [UInt8](Self.next.utf8))
        #expect(followed.messages.first == accepted.expected)
        // After a message that closes the connection, the decoder reads nothing (RFC 9112 section 9.6).
        #expect(followed.messages.count == (accepted.expected.keepsAlive ? 2 : 1))
        #expect(followed.refusal == nil)
        #expect(Transcript(byteByByte: bytes + [UInt8](Self.next.utf8)) == followed)
    }

    @Test(arguments: accepted)
    func waitsForMoreBytesAfterEveryPrefix(_ accepted: Accepted) {
        let bytes = [UInt8](accepted.text.utf8)
        for length in 0..<bytes.count {
            let prefix = Transcript(whole: [UInt8](bytes[..<length]))
            #expect(prefix.refusal == nil, "after \(length) bytes")
            #expect(!prefix.messages.contains { $0.isWhole }, "after \(length) bytes")
            let hasBegun = bytes[..<length].contains { $0 != 0x0D && $0 != 0x0A }
            #expect(prefix.isInsideMessage == hasBegun, "after \(length) bytes")
        }
    }
}
