import CPlacekeeperCrypto

/// Unpredictable bytes from libcrypto's generator, which the kernel seeds.
package enum Random {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // If libcrypto fails, the process ends, because it must not continue with predictable bytes. All callers ask
            // for a constant number of bytes, so only a system without a source of random bytes can make it fail.
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "libcrypto could not provide random bytes")
            initialized = count
        }
    }
}
