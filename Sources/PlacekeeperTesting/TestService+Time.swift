import PlacekeeperConcurrency
import PlacekeeperClient
import PlacekeeperServer

// Time of the virtual devices. No method waits for the system's clock.
extension TestService {
    /// Waits until no device has work now: all saved states are written, and all requests are answered, except the
    /// requests and timers that wait for the clock. Changes have reached the other devices that follow them.
    public func settle() async {
        while !Task.isCancelled {
            let before = activity.snapshot
            guard before.isIdle else {
                await activity.event(after: before.tick)
                continue
            }
            await confirmStreams()
            _ = await waitingCallers()
            let after = activity.snapshot
            if after.isIdle, after.version == before.version { return }
        }
    }

    /// Advances the clock, and lets the devices work meanwhile: each timer fires at its time, and the work that follows
    /// is done before the clock goes on.
    /// - Parameter seconds: The seconds by which the clock advances.
    public func advance(by seconds: Double) async {
        let end = clock.seconds + seconds
        await settle()
        while !Task.isCancelled, let next = clock.nextTimer, next <= end {
            clock.advance(to: next)
            await settle()
        }
        clock.advance(to: end)
        await settle()
    }

    /// Runs an operation, and advances the clock while the operation waits for it: whenever a call to a client waits and
    /// no device has work now, the clock advances to the next timer. So a call that ends at a deadline ends without a
    /// sleep, and the clock shows how long the call took.
    ///
    /// ```swift
    /// phone.network.fault = .slow(10)
    /// let start = service.clock.seconds
    /// let launch = await service.advancingClock { await phone.placekeeper.scene().launch() }
    /// #expect(service.clock.seconds - start <= 1)
    /// ```
    /// - Parameter operation: Calls clients. An operation that waits for anything else than a client's result does not
    ///   advance the clock.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    public func advancingClock<Result, Failure: Error>(
        _ operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let advancing = Task { await advanceForCallers() }
        do throws(Failure) {
            let result = try await operation()
            advancing.cancel()
            await advancing.value
            return result
        } catch {
            advancing.cancel()
            await advancing.value
            throw error
        }
    }

    private func advanceForCallers() async {
        while !Task.isCancelled {
            await settle()
            let tick = activity.snapshot.tick
            let principals = await waitingCallers()
            guard activity.snapshot.tick == tick else { continue }
            if principals > 0, let next = clock.nextTimer, !Task.isCancelled {
                clock.advance(to: next)
            } else {
                await activity.event(after: tick)
            }
        }
    }

    /// Waits until the queue of each client is empty, and returns the number of calls that wait for a result.
    private func waitingCallers() async -> Int {
        var count = 0
        for placekeeper in devices.withLock(\.placekeepers) { count += await placekeeper.drain() }
        return count
    }

    /// Waits until each open stream has sent the changes that were stored before. A wake makes a stream look for
    /// changes, and the stream answers with a comment if there are none. The first comment may come from an earlier
    /// look, so two comments are needed.
    private func confirmStreams() async {
        let goals = activity.snapshot.streams.mapValues { $0.comments + 2 }
        while !Task.isCancelled {
            let now = activity.snapshot
            guard goals.contains(where: { id, goal in (now.streams[id]?.comments ?? goal) < goal }) else { return }
            server.sendHeartbeats()
            await activity.event(after: now.tick)
        }
    }
}
