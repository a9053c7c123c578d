import CCrypto

/// Unpredictable bytes from libcrypto's generator, which the kernel seeds.
package enum Random {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Going on with predictable bytes would be worse than not going on.
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "libcrypto has no randomness")
            initialized = count
        }
    }
}
