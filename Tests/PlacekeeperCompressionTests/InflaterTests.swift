import Testing

@testable import PlacekeeperCompression

@Suite struct InflaterTests {
    let gzip = Compressor(.gzip)

    private func inflate(_ bytes: [UInt8], limit: Int, ratio: Int = 100) throws(CompressionError) -> [UInt8] {
        let pieces = try gzip.inflating(bytes, limit: limit, ratio: ratio)
        var inflated: [UInt8] = []
        while case let piece = try pieces.next(), !piece.isEmpty { inflated += piece }
        return inflated
    }

    @Test func refusesAMessageOfAnotherCount() throws {
        for message in CompressorTests.messages {
            let deflated = try #require(gzip.deflate(message, limit: .max))
            #expect(try gzip.inflate(deflated, count: message.count) == message)
            for count in [message.count - 1, message.count + 1, 0, -1, .max] where count != message.count {
                #expect(throws: CompressionError(.corrupt), "\(count)") { try gzip.inflate(deflated, count: count) }
            }
        }
    }

    @Test func refusesOutputOverTheLimit() throws {
        let message = CompressorTests.messages[3]
        let deflated = try #require(gzip.deflate(message))
        #expect(try inflate(deflated, limit: message.count) == message)
        #expect(throws: CompressionError(.tooLarge)) { try inflate(deflated, limit: message.count - 1) }
        #expect(throws: CompressionError(.tooLarge)) { try inflate(deflated, limit: 0) }
    }

    @Test func refusesOutputOverTheRatio() throws {
        let bomb = try #require(Compressor(.gzip, level: 9).deflate([UInt8](repeating: 0, count: 10_000_000)))
        #expect(bomb.count < 20_000)
        #expect(throws: CompressionError(.ratioExceeded)) { try inflate(bomb, limit: .max) }
    }

    /// In a damaged database, the stored size of an archive may be the largest integer, and the store passes this size
    /// as the limit.
    @Test func inflatesWithTheLargestLimits() throws {
        let deflated = try #require(gzip.deflate(CompressorTests.messages[3]))
        #expect(try inflate(deflated, limit: .max, ratio: .max) == CompressorTests.messages[3])
    }

    @Test func returnsBoundedPiecesThatFormTheMessage() throws {
        let message = [UInt8](repeating: 7, count: 3_000_000)
        let deflated = try #require(Compressor(.gzip, level: 9).deflate(message))
        let pieces = try gzip.inflating(deflated, limit: .max, ratio: .max)
        var whole: [UInt8] = []
        while case let piece = try pieces.next(), !piece.isEmpty {
            #expect(piece.count <= 256 * 1024)
            whole += piece
        }
        #expect(whole == message)
        #expect(try pieces.next().isEmpty)
    }

    @Test func appliesTheLimitToAllPiecesTogether() throws {
        let deflated = try #require(gzip.deflate(CompressorTests.messages[3]))
        let pieces = try gzip.inflating(deflated, limit: 99_999, ratio: .max)
        #expect(throws: CompressionError(.tooLarge)) { while try !pieces.next().isEmpty {} }
    }

    /// The pool of streams gives each message its own stream, so that reading one message does not affect the other.
    @Test func inflatesTwoMessagesAlternately() throws {
        let messages = [CompressorTests.messages[3], CompressorTests.messages[3].reversed()]
        let pieces = try messages.map { try gzip.inflating(try #require(gzip.deflate($0)), limit: .max, ratio: .max) }
        var whole: [[UInt8]] = [[], []]
        for _ in 0..<100 { for index in 0...1 { whole[index] += try pieces[index].next() } }
        #expect(whole == messages)
    }

    @Test func acceptsOutputUpToTheRatio() throws {
        let deflated = try #require(gzip.deflate([UInt8](repeating: 0, count: 10_000)))
        let ratio = 10_000 / deflated.count
        #expect(throws: CompressionError(.ratioExceeded)) { try inflate(deflated, limit: .max, ratio: ratio) }
        #expect(try inflate(deflated, limit: .max, ratio: ratio + 1).count == 10_000)
    }

    @Test func refusesEveryTruncation() throws {
        let deflated = try #require(gzip.deflate(Array("to be continued, to be continued, to be continued".utf8)))
        for count in 0..<deflated.count {
            #expect(throws: CompressionError(.truncated), "\(count) of \(deflated.count) bytes") {
                try inflate(Array(deflated[..<count]), limit: 1000)
            }
            #expect(throws: CompressionError.self) { try gzip.inflate(Array(deflated[..<count]), count: 47) }
        }
    }

    @Test func refusesAWrongChecksum() throws {
        var deflated = try #require(gzip.deflate(CompressorTests.messages[3]))
        deflated[deflated.count - 8] ^= 1
        #expect(throws: CompressionError(.corrupt)) { try inflate(deflated, limit: .max) }
    }

    @Test func refusesTheOtherFraming() throws {
        let deflated = try #require(Compressor(.zlib).deflate(CompressorTests.messages[3]))
        #expect(throws: CompressionError(.corrupt)) { try inflate(deflated, limit: .max) }
    }

    @Test func refusesBytesAfterTheStream() throws {
        let deflated = try #require(gzip.deflate(CompressorTests.messages[3]))
        #expect(throws: CompressionError(.corrupt)) { try inflate(deflated + [1, 2, 3], limit: .max) }
    }

    /// An empty member takes 20 bytes, and much more time. No client of ours sends several members.
    @Test(arguments: [[], [1], Array("a second content".utf8)] as [[UInt8]])
    func refusesASecondMember(content: [UInt8]) throws {
        let first = try #require(gzip.deflate(CompressorTests.messages[3]))
        let second = try #require(gzip.deflate(content, limit: 100))
        #expect(throws: CompressionError(.corrupt)) { try inflate(first + second, limit: .max) }
        #expect(throws: CompressionError(.corrupt)) { try inflate(second + second, limit: .max) }
    }

    @Test func refusesManyBlocksWithCodesOfTheirOwn() throws {
        #expect(try inflate(DeflateBlocks.coded(16), limit: 1000).isEmpty)
        #expect(throws: CompressionError(.tooManyBlocks)) {
            try inflate(DeflateBlocks.coded(10_000), limit: 1000)
        }
    }

    @Test func refusesManyEmptyBlocksWithFixedCodes() throws {
        #expect(try inflate(DeflateBlocks.fixed(2000), limit: 1000).isEmpty)
        #expect(throws: CompressionError(.tooManyBlocks)) {
            try inflate(DeflateBlocks.fixed(50_000), limit: 1000)
        }
    }

    /// A client that flushes each line makes a small block of a line and an empty block after it.
    @Test func acceptsManyBlocksWithoutCodesOfTheirOwn() throws {
        let lines = DeflateBlocks.stored(10_000, each: Array("a line\n".utf8))
        #expect(try inflate(lines, limit: 100_000).count == 70_000)
        #expect(try inflate(DeflateBlocks.stored(10_000, each: []), limit: 1000).isEmpty)
    }

    /// Compressors begin a block after at least 512 bytes, also with their smallest buffers.
    @Test(arguments: 1...9) func acceptsTheBlocksOfACompressor(level: Int) throws {
        var (noise, seed): ([UInt8], UInt32) = ([], 1)
        for _ in 0..<300_000 {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            noise.append(UInt8(seed >> 24) & 63)
        }
        let deflated = try #require(Compressor(.gzip, level: level).deflate(noise))
        #expect(try inflate(deflated, limit: .max) == noise)
    }

    @Test func refusesOrIgnoresFlippedBits() throws {
        let message = Array("the person opens the app on another device, and is back where they were".utf8)
        let deflated = try #require(gzip.deflate(message + message))
        for index in deflated.indices {
            var flipped = deflated
            flipped[index] ^= 0x10
            let inflated = try? inflate(flipped, limit: 1000)
            // Some bits have no effect: bits of the header (RFC 1952 section 2.3.1), and padding in the last deflated
            // byte.
            #expect(inflated == nil || inflated == message + message, "bit at byte \(index)")
        }
    }
}
