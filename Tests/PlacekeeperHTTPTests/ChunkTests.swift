@testable import PlacekeeperHTTP
import Testing

@Suite struct ChunkTests {
    private static func transcript(chunks: String) -> Transcript {
        Transcript(byteByByte: Array((RefusalTests.chunked + chunks).utf8))
    }

    @Test func countsDigitsSeparatelyForEachChunkSize() {
        let transcript = Self.transcript(chunks: String(repeating: "1\r\nx\r\n", count: 40) + "0\r\n\r\n")
        #expect(transcript.refusal == nil)
        #expect(transcript.messages.map(\.body.count) == [40])
        #expect(Self.transcript(chunks: "1\r\nx\r\n;").refusal == Refusal(.chunkSizeInvalid))
    }

    @Test(arguments: ["1 =", "1;a\r\nx\r\n1 =", "1;a=b\r\nx\r\n1 b", "1;a=\"b\"\r\nx\r\n1 \r"])
    func resetsTheExtensionGrammarForEachChunk(chunks: String) {
        #expect(Self.transcript(chunks: chunks).refusal == Refusal(.chunkExtensionInvalid))
    }

    @Test func refusesEmptyNameAfterAnotherTrailerField() {
        let transcript = Self.transcript(chunks: "0\r\nX: 1\r\n:")
        #expect(transcript.refusal == Refusal(.fieldNameInvalid))
    }
}
