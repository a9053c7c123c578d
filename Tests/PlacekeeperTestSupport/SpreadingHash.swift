package import PlacekeeperCore
import PlacekeeperService

/// A quick hash for tests. It keeps no secret.
package struct SpreadingHash: Hashing {
    package init() {}
    package func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        var words: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4)
        for byte in bytes {
            words.0 = (words.0 ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            words.0 ^= words.0 >> 29
            words.1 = (words.1 &+ UInt64(byte)) &* 0xBF58_476D_1CE4_E5B9
            words.1 ^= words.1 >> 31
        }
        return Digest(words.0, words.1, words.0 &* 3, words.1 &* 5)
    }
}
