import Testing

@testable import PlacekeeperCompression

struct RandomnessTests {
    @Test func tellsRandomBytesFromText() {
        var random = SystemRandomNumberGenerator()
        for count in [4096, 10_000, 65_536, 300_000] {
            let noise = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(Randomness.isLikely(in: noise))
            #expect(Compressor(.zlib).deflate(noise, limit: count - count / 8) == nil)
            let text = Array(String(repeating: "Photos, Albums, Lisbon, Tram 28. ", count: count / 33 + 1).utf8)
            #expect(!Randomness.isLikely(in: text))
            // Numbers of four bytes, the least significant first.
            let numbers = (0..<count / 4).flatMap { (number: Int) -> [UInt8] in
                [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16 & 0xFF), 0]
            }
            #expect(!Randomness.isLikely(in: numbers))
        }
    }

    @Test func treatsShortInputAsCompressible() {
        #expect(!Randomness.isLikely(in: (0..<4095).map { UInt8(truncatingIfNeeded: $0) }))
    }
}
