@testable import PlacekeeperHTTP
import Testing

@Suite struct SplitPropertyTests {
    /// A generator whose sequence depends only on its seed. A failure names the seed that reproduces it.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    static let messages =
        RequestDecoderTests.accepted.map { Array($0.text.utf8) } + RefusalTests.chunks.map(\.bytes)
        + RefusalTests.fields.map(\.bytes)

    /// Returns a few consecutive requests, with some bytes changed, removed or duplicated.
    static func stream(_ random: inout SplitMix) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes += messages.randomElement(using: &random) ?? []
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            default: bytes[index] = Array("\r\n :;,\0\t%#?\"\\".utf8).randomElement(using: &random) ?? 0
            }
        }
        return bytes
    }

    @Test(arguments: 0..<40)
    func decodesTheSameForEverySplit(seed: UInt64) {
        var random = SplitMix(state: seed)
        for _ in 0..<25 {
            let bytes = Self.stream(&random)
            let whole = Transcript(whole: bytes)
            #expect(Transcript(byteByByte: bytes) == whole, "\(bytes)")
            let lengths = (0..<bytes.count).map { _ in Int.random(in: 1...24, using: &random) }
            #expect(Transcript(of: bytes, lengths: lengths) == whole, "\(bytes), \(lengths)")
        }
    }
}
