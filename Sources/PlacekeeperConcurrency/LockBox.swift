#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#endif

/// A value protected by a lock. The portable targets use it because the oldest supported systems (such as iOS 16) don't
/// have `Mutex`. The closure of `withLock` must not wait, and must not call code outside the type that owns the value.
///
/// Inlinable, so other modules can specialize it for their own types.
package final class LockBox<Value>: @unchecked Sendable {
    // `value` is used only while `lock` is held, so the class is Sendable, and Swift doesn't have to check for
    // exclusive access.
    @exclusivity(unchecked) @usableFromInline var value: Value
    #if canImport(Darwin)
        @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
    #else
        @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    #endif

    package init(_ value: sending Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        #if canImport(Darwin)
            lock.initialize(to: os_unfair_lock())
        #else
            lock.initialize(to: pthread_mutex_t())
            let result = pthread_mutex_init(lock, nil)
            // With default attributes, this fails only when the system is out of memory.
            precondition(result == 0, "pthread_mutex_init failed: \(result)")
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(lock)
        #endif
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    @inlinable package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
        #else
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
        #endif
        return body(&value)
    }
}
