import CPlacekeeperCrypto

/// Unpredictable bytes from libcrypto's generator, which the kernel seeds.
package enum Random {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // If libcrypto fails, the process must end rather than continue with predictable bytes. All callers ask for
            // a constant number of bytes, so this fails only on a system without a source of random bytes.
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "libcrypto could not provide random bytes")
            initialized = count
        }
    }
}
