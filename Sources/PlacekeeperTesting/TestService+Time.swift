import PlacekeeperConcurrency
import PlacekeeperClient
import PlacekeeperServer

// Time for the virtual devices. No method waits for the system's clock.
extension TestService {
    /// Waits until no device has work left: all saved states are written, and all requests are answered, except
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

    /// Advances the clock, and lets the devices work in the meantime: each timer fires at its time, and the resulting
    /// work is done before the clock goes on.
    public func advance(by time: Duration) async { await advance(by: time.seconds) }

    /// Advances the clock by some seconds.
    package func advance(by seconds: Double) async {
        let end = clock.seconds + seconds
        await settle()
        while !Task.isCancelled, let next = clock.nextTimer, next <= end {
            clock.advance(to: next)
            await settle()
        }
        clock.advance(to: end)
        await settle()
    }

    /// Runs an operation, and advances the clock while the operation waits for it: whenever a call to a client waits
    /// and no device has work left, the clock advances to the next timer. So a call that ends at a deadline returns
    /// without sleeping, and the clock shows how long the call took.
    ///
    /// ```swift
    /// phone.network.fault = .slow(.seconds(10))
    /// let scene = phone.placekeeper.scene([Route].self)
    /// let restored = await service.advancingClock { await scene.restore() }
    /// #expect(service.elapsed <= .seconds(1))
    /// ```
    /// - Parameter operation: Calls clients. Waiting for anything but a client's result doesn't advance the clock.
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
            let callers = await waitingCallers()
            guard activity.snapshot.tick == tick else { continue }
            if callers > 0, let next = clock.nextTimer, !Task.isCancelled {
                clock.advance(to: next)
            } else {
                await activity.event(after: tick)
            }
        }
    }

    /// Waits until each client's queue is empty, and returns the number of calls that wait for a result.
    private func waitingCallers() async -> Int {
        var count = 0
        for placekeeper in devices.withLock(\.placekeepers) { count += await placekeeper.drain() }
        return count
    }

    /// Waits until each open stream has sent the changes that are already stored. When woken, a stream checks for
    /// changes, and sends a comment if there are none. The first comment may come from an earlier check, so two
    /// comments are needed.
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
