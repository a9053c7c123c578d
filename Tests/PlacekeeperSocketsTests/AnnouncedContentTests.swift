import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

/// Tests the decisions of a request reader when a request announces content, before the content is read.
@Suite struct AnnouncedContentTests {
    private static let request = "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"

    /// Feeds `text` to a reader, and returns the names of the next `count` steps.
    private static func feed(_ text: String, to reader: inout RequestReader, count: Int) -> [String] {
        var offset = 0
        var names: [String] = []
        Array(text.utf8).withUnsafeBytes { bytes in
            for _ in 0..<count {
                switch reader.next(bytes, &offset) {
                case .needsMore: names.append("needs more")
                case .announced: names.append("announced")
                case .collected(let count): names.append("collected \(count)")
                case .request(_, let body, _): names.append("request " + String(decoding: body, as: UTF8.self))
                case .refused(let refusal): names.append(refusal.code)
                }
            }
        }
        return names
    }

    /// Returns a reader that has read the head of `text`.
    private static func announced(_ text: String = request) -> RequestReader {
        var reader = RequestReader(limits: .init())
        #expect(feed(text, to: &reader, count: 1) == ["announced"])
        return reader
    }

    @Test func refusesALengthOverTheLimitBeforeAnyContent() {
        var reader = Self.announced()
        #expect(reader.accept(bodyLimit: 3) == .contentTooLarge)
    }

    @Test func acceptsALengthAtTheLimit() {
        var reader = Self.announced()
        #expect(reader.acceptedAt == 0)
        #expect(reader.accept(bodyLimit: 4, note: 77, tick: 9) == nil)
        #expect(reader.acceptedAt == 9)
    }

    @Test func acceptsAnnouncedChunkedContentWithoutItsLength() {
        var reader = Self.announced("PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(reader.accept(bodyLimit: 0) == nil)
        #expect(reader.isInsideBody)
    }

    @Test func countsContentUntilTheRequestIsComplete() {
        var reader = Self.announced()
        #expect(reader.accept(bodyLimit: 4) == nil)
        #expect(reader.bodyCount == 0)
        #expect(reader.isInsideMessage)
        #expect(reader.head?.method == .put)
        #expect(Self.feed("ab", to: &reader, count: 1) == ["collected 2"])
        #expect(reader.bodyCount == 2)
        #expect(reader.refusalAtEndOfInput != nil)
        #expect(Self.feed("cd", to: &reader, count: 2) == ["collected 2", "request abcd"])
        #expect(reader.bodyCount == 0)
        #expect(reader.head == nil)
        #expect(!reader.isInsideMessage)
        #expect(reader.refusalAtEndOfInput == nil)
    }
}
