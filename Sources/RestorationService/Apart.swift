/// Does what may take long on threads for just that: a connection's worker answers others meanwhile. Systems that know of
/// no preference for an executor have no workers either.
package func apart<Value: Sendable, Failure: Error>(
    _ work: @concurrent @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await work() }
    // The preference alone moves nothing before the next wait; what is concurrent begins where it is to run.
    return try await withTaskExecutorPreference(ApartExecutor.shared) { () async throws(Failure) in
        try await work()
    }
}
