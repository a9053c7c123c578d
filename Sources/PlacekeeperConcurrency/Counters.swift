#if !canImport(Darwin)
    import Synchronization
#endif

/// Counters that many threads change at the same time, in every request. On Linux, a change takes no lock. The oldest
/// supported Apple systems don't have `Atomic`, so a lock protects the counters there.
///
/// `@unchecked Sendable`: the counters are atomic or locked, and no other state changes between `init` and `deinit`.
package final class Counters: @unchecked Sendable {
    #if canImport(Darwin)
        private let values: LockBox<[UInt64]>
    #else
        private let values: UnsafeMutableBufferPointer<Atomic<UInt64>>
    #endif

    /// - Parameters:
    ///   - count: the number of counters.
    ///   - start: the initial value of each counter.
    package init(_ count: Int, from start: UInt64 = 0) {
        #if canImport(Darwin)
            values = LockBox(Array(repeating: start, count: count))
        #else
            values = .allocate(capacity: count)
            for index in values.indices { values.initializeElement(at: index, to: Atomic(start)) }
        #endif
    }

    #if !canImport(Darwin)
        deinit {
            values.deinitialize()
            values.deallocate()
        }
    #endif

    /// Adds to a counter and returns the sum, which wraps around on overflow.
    @discardableResult
    package func add(_ number: UInt64, at index: Int) -> UInt64 {
        #if canImport(Darwin)
            values.withLock { values in
                values[index] &+= number
                return values[index]
            }
        #else
            values[index].wrappingAdd(number, ordering: .relaxed).newValue
        #endif
    }

    package func value(at index: Int) -> UInt64 {
        #if canImport(Darwin)
            values.withLock { $0[index] }
        #else
            values[index].load(ordering: .relaxed)
        #endif
    }
}
