import PlacekeeperSystem

/// Unpredictable bytes from the system's generator.
package enum Random {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            arc4random_buf(buffer.baseAddress, count)
            initialized = count
        }
    }
}
