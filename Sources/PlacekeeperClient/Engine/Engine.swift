import PlacekeeperConcurrency
import Dispatch
import Foundation
import PlacekeeperArchive

/// Watches the work of an engine, so a test can wait until the engine is idle.
package protocol EngineWatch: Sendable {
    /// Starts a task of the engine. When the task ends, the resulting work is already on the engine's queue.
    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>
    /// Records that one more caller waits for a result.
    func callerWaits()
}

/// The watch outside tests. Only starts tasks.
package struct NoWatch: EngineWatch {
    package init() {}
    package func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> { Task { await work() } }
    package func callerWaits() {}
}

/// Drives a `ClientCore`: runs it on its own queue, sends its requests, and resumes its callers.
final class Engine: @unchecked Sendable {
    // The class is Sendable, because the properties below `queue` are used only on this queue.
    private let queue = DispatchQueue(label: "placekeeper", qos: .userInitiated)
    let clock: any ClientClock
    private let transport: any Transport
    private let watch: any EngineWatch
    private let makeCore: () -> ClientCore
    private lazy var core = makeCore()
    private var callers: [ClientCore.CallID: CheckedContinuation<ClientCore.CallResult, Never>] = [:]
    private var lastCall = 0
    private var timer: (at: Double, task: Task<Void, Never>)?
    private var stream: (generation: Int, task: Task<Void, Never>)?
    /// The number of consecutive streams that delivered nothing.
    private var emptyStreams = 0
    private var offerListeners: [Int: (scene: String, continuation: AsyncStream<Placekeeper.Offer?>.Continuation)] = [:]
    /// Called after each change of the status.
    let statusObserver = LockBox<(@Sendable () -> Void)?>(nil)
    private var statusListeners: [Int: AsyncStream<Placekeeper.Status>.Continuation] = [:]
    private var nextListener = 0
    private var signInToken: (@Sendable () async throws -> String)?
    private var isSigningIn = false
    private let lastStatus = LockBox(Placekeeper.Status())
    private let lastAccount = LockBox(AccountNumbers())
    let delayedSaves = DelayedSaves()
    let accountObservers = AccountObservers()

    init(
        clock: any ClientClock, transport: any Transport, watch: any EngineWatch,
        makeCore: @escaping () -> ClientCore
    ) {
        self.clock = clock
        self.transport = transport
        self.watch = watch
        self.makeCore = makeCore
    }

    /// The app has released the client, so nothing follows the offers now.
    deinit {
        stream?.task.cancel()
        timer?.task.cancel()
        for listener in offerListeners.values { listener.continuation.finish() }
        for listener in statusListeners.values { listener.finish() }
    }

    var status: Placekeeper.Status { lastStatus.withLock { $0 } }
    var account: AccountNumbers { lastAccount.withLock { $0 } }

    /// Runs a save after some seconds, by the client's clock.
    func delay(_ save: @escaping DelayedSaves.Save, for seconds: Double) -> DelayedSave {
        let number = delayedSaves.add(save) { [clock, watch] run in
            let end = clock.now().uptime + seconds
            return watch.start {
                await clock.sleep(until: end)
                await run()
            }
        }
        return DelayedSave(number: number, saves: delayedSaves)
    }

    /// Runs a closure on the core's queue, followed by the resulting work.
    func perform(_ body: @escaping @Sendable (ClientCore, ClockReading) -> Void) {
        queue.async { [self] in
            body(core, clock.now())
            work()
        }
    }

    /// Runs a closure on the core's queue, and returns once the resulting work has begun.
    func performNow(_ body: (ClientCore, ClockReading) -> Void) {
        queue.sync {
            body(core, clock.now())
            work()
        }
    }

    /// Runs a closure on the core's queue, and waits for it. For closures that give the core no work.
    func recordNow(_ body: (ClientCore) -> Void) { queue.sync { body(core) } }

    /// Runs a closure on the core's queue, and returns its result.
    func value<Value: Sendable>(_ body: @escaping @Sendable (ClientCore) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: body(core)) }
        }
    }

    private func onQueue(_ body: @escaping @Sendable (Engine) -> Void) { queue.async { body(self) } }

    /// Adds a call, and waits for its result. If the task is canceled, the result is the error `canceled`. Launches are
    /// not canceled: a view that reappears still needs the result.
    /// - Parameters:
    ///   - owner: The number of the requesting user, or `nil` for the current one. If the account has changed since,
    ///     the result is the error `accountChanged`.
    ///   - deadline: The seconds after which a flush ends. Defaults to the client's setting.
    func result(
        of call: ClientCore.Call, for owner: Int? = nil, deadline: Double? = nil
    ) async -> ClientCore.CallResult {
        let state = LockBox<(callID: ClientCore.CallID?, isCanceled: Bool)>((nil, false))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    lastCall += 1
                    callers[lastCall] = continuation
                    watch.callerWaits()
                    let callID = lastCall
                    let isCanceled = state.withLock { state in
                        state.callID = callID
                        return state.isCanceled
                    }
                    if isCanceled { return cancel(callID) }
                    if let owner, owner != core.owner { return end(callID, ClientCore.accountChanged) }
                    core.add(call, callID, deadline: deadline, at: clock.now())
                    work()
                }
            }
        } onCancel: {
            guard !call.isLaunch else { return }
            let callID = state.withLock { state in
                state.isCanceled = true
                return state.callID
            }
            if let callID { queue.async { [self] in cancel(callID) } }
        }
    }

    /// Waits until the queue has finished the work added so far, and returns the number of callers that still wait.
    func drain() async -> Int {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: callers.count) }
        }
    }

    private func cancel(_ callID: ClientCore.CallID) {
        core.cancel(callID)
        end(callID, PlacekeeperError(.canceled, "The task was canceled."))
        work()
    }

    private func end(_ callID: ClientCore.CallID, _ error: PlacekeeperError) {
        callers.removeValue(forKey: callID)?.resume(returning: .failed(error))
    }

    // MARK: - Work

    private func work() {
        // Only this class calls `work()`, always on this queue. No response of the service can change that.
        dispatchPrecondition(condition: .onQueue(queue))
        let step = core.step(at: clock.now())
        for (id, request) in step.requests { send(request, id) }
        // A resumed caller must see the status after its call.
        publish(step.status)
        publish(step.account)
        for (callID, result) in step.results { callers.removeValue(forKey: callID)?.resume(returning: result) }
        for (scene, offer) in step.offers {
            for listener in offerListeners.values where listener.scene == scene { listener.continuation.yield(offer) }
        }
        schedule(step.wakeAt)
        follow(step.events)
        if step.needsSignInToken { signInAgain() }
    }

    private func send(_ request: TransportRequest, _ id: Int) {
        _ = watch.start { [self, transport] in
            let result: Result<TransportResponse, TransportError>
            do throws(TransportError) { result = .success(try await transport.send(request)) } catch {
                result = .failure(error)
            }
            perform { core, now in core.receive(result, for: id, at: now) }
        }
    }

    private func publish(_ status: Placekeeper.Status) {
        let isNew = lastStatus.withLock { last in
            defer { last = status }
            return last != status
        }
        guard isNew else { return }
        statusObserver.withLock { $0 }?()
        for listener in statusListeners.values { listener.yield(status) }
    }

    /// Informs the windows of a change of the account. Drops the sign-in closure of a previous owner.
    private func publish(_ account: AccountNumbers) {
        let earlier = lastAccount.withLock { last in
            defer { last = account }
            return last
        }
        guard earlier != account else { return }
        if earlier.owner != account.owner { signInToken = nil }
        guard !accountObservers.isEmpty else { return }
        _ = watch.start { [accountObservers] in await accountObservers.run() }
    }

    private func schedule(_ uptime: Double?) {
        guard timer?.at != uptime else { return }
        timer?.task.cancel()
        timer = uptime.map { uptime in
            let task = watch.start { [weak self, clock] in
                await clock.sleep(until: uptime)
                guard !Task.isCancelled else { return }
                self?.perform { _, _ in }
            }
            return (uptime, task)
        }
        // An expired timer is dropped, because the core may ask for the same time again.
        if let uptime, uptime <= clock.now().uptime { timer = nil }
    }

    // MARK: - Events

    /// Keeps one stream of events open. When it ends, the next one starts after 2 seconds, or after up to a minute if
    /// the service delivered nothing.
    private func follow(_ events: ClientCore.EventsRequest?) {
        guard stream?.generation != events?.generation else { return }
        stream?.task.cancel()
        let longPause = min(60, 4 * Double(1 << min(emptyStreams, 4))) * Double.random(in: 0.75...1)
        stream = events.map { events in
            let task = watch.start { [weak self, clock, transport] in
                let generation = events.generation
                let isEmpty = LockBox(true)
                try? await transport.stream(events.request, idleLimit: 45) { [weak self] bytes in
                    isEmpty.withLock { $0 = false }
                    self?.perform { core, now in core.receiveEvents(bytes, generation: generation, at: now) }
                    return self != nil
                }
                let wasEmpty = isEmpty.withLock { $0 }
                await clock.sleep(until: clock.now().uptime + (wasEmpty ? longPause : 2))
                self?.endStream(generation, wasEmpty: wasEmpty)
            }
            return (events.generation, task)
        }
    }

    private func endStream(_ generation: Int, wasEmpty: Bool) {
        queue.async { [self] in
            guard stream?.generation == generation else { return }
            stream = nil
            emptyStreams = wasEmpty ? emptyStreams + 1 : 0
            core.endEvents()
            work()
        }
    }

    // MARK: - Signing in

    /// Signs in with a token from `token`. The closure is kept, and called again if the service ends the registration.
    func signIn(_ token: @escaping @Sendable () async throws -> String) async throws(PlacekeeperError) {
        do throws(PlacekeeperError) { try await signInOnce(token) } catch {
            // The service may have received the sign-in, so keep the closure. An earlier closure has precedence.
            if error.code == .offline { queue.async { [self] in signInToken = signInToken ?? token } }
            throw error
        }
        queue.async { [self] in signInToken = token }
    }

    private func signInOnce(_ token: @Sendable () async throws -> String) async throws(PlacekeeperError) {
        let value: String
        do { value = try await token() } catch {
            throw PlacekeeperError(.signInRequired, "The app gave no sign-in token: \(error).")
        }
        if case .failed(let error) = await result(of: .signIn(token: value)) { throw error }
    }

    private func signInAgain() {
        guard let signInToken, !isSigningIn else { return }
        isSigningIn = true
        // If the user signs out before the token arrives, the device must not be signed in again.
        let owner = core.owner
        _ = watch.start { [weak self, clock] in
            if let token = try? await signInToken() {
                self?.perform { [weak self] core, now in
                    guard let self, core.owner == owner else { return }
                    lastCall += 1
                    core.add(.signIn(token: token), lastCall, at: now)
                }
            }
            // Pause before the next attempt, even if the service ends the new registration immediately.
            await clock.sleep(until: clock.now().uptime + 30)
            self?.onQueue { engine in
                engine.isSigningIn = false
                engine.work()
            }
        }
    }

    // MARK: - Listeners

    func statuses() -> AsyncStream<Placekeeper.Status> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            queue.async { [self] in
                nextListener += 1
                let listener = nextListener
                statusListeners[listener] = continuation
                continuation.onTermination = { [weak self] _ in
                    self?.onQueue { engine in engine.statusListeners[listener] = nil }
                }
                work()
                continuation.yield(status)
            }
        }
    }

    func offers(of scene: String) -> AsyncStream<Placekeeper.Offer?> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            queue.async { [self] in
                nextListener += 1
                let listener = nextListener
                offerListeners[listener] = (scene, continuation)
                continuation.onTermination = { [weak self] _ in
                    self?.onQueue { engine in engine.removeOfferListener(listener) }
                }
                // Also yields `nil`: a listener that comes back may still show an ended offer.
                continuation.yield(core.offer(of: scene))
                core.followOffers(of: scene)
                work()
            }
        }
    }

    private func removeOfferListener(_ listener: Int) {
        offerListeners[listener] = nil
        if offerListeners.isEmpty { core.follow(false) }
        work()
    }
}
