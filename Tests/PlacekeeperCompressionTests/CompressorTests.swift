import Testing

@testable import PlacekeeperCompression

@Suite struct CompressorTests {
    static let messages: [[UInt8]] = [
        [],
        [0x2A],
        Array("a place to come back to".utf8),
        (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
        [UInt8](repeating: 7, count: 4096),
    ]

    @Test(arguments: [Framing.zlib, .gzip], messages)
    func inflatesDeflatedMessages(framing: Framing, message: [UInt8]) throws {
        let compressor = Compressor(framing)
        let deflated = try #require(compressor.deflate(message, limit: .max))
        #expect(try compressor.inflate(deflated, count: message.count) == message)
    }

    @Test func inflatesMessagesOfEveryLevel() throws {
        for level in [-3, 1, 6, 9, 40] {
            let compressor = Compressor(.zlib, level: level)
            let deflated = try #require(compressor.deflate(Self.messages[3], limit: .max))
            #expect(try compressor.inflate(deflated, count: 100_000) == Self.messages[3])
        }
    }

    @Test func returnsNilWhenDeflatingSavesNothing() {
        let compressor = Compressor(.zlib)
        #expect(compressor.deflate([1, 2, 3, 4]) == nil)
        #expect(compressor.deflate([]) == nil)
        #expect(compressor.deflate(Self.messages[4], limit: 10) == nil)
    }

    @Test func reusesAStreamAfterAFailure() throws {
        let compressor = Compressor(.gzip)
        let deflated = try #require(compressor.deflate(Self.messages[3]))
        for _ in 0..<3 {
            #expect(throws: CompressionError(.corrupt)) { try compressor.inflate([1, 2, 3, 4], count: 100) }
            #expect(compressor.deflate(Self.messages[3], limit: 10) == nil)
            #expect(compressor.deflate(Self.messages[3]) == deflated)
            #expect(try compressor.inflate(deflated, count: 100_000) == Self.messages[3])
        }
    }

    @Test func serves32TasksAtOnce() async {
        let compressor = Compressor(.zlib)
        await withTaskGroup(of: Bool.self) { group in
            for seed in 0..<32 {
                group.addTask {
                    let message = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 / (seed + 1)) }
                    let deflated = compressor.deflate(message)
                    return deflated.flatMap { try? compressor.inflate($0, count: 20_000) } == message
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
