import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// Opens connections to several hosts at the same time, on the thread that uses it. Each attempt has a deadline, so a
/// host that accepts a connection and never answers holds up no other.
struct ServerSearch {
    private let libpq: Libpq
    private let settings: [(String, String)]
    private let seconds: Int
    private let lookups: NameLookups
    /// The host to try first.
    private let first: ServerHost?
    /// The hosts to connect to next.
    private(set) var waiting: [ServerHost] = []
    private var looking: [(host: ServerHost, lookup: NameLookups.Lookup, end: ContinuousClock.Instant)] = []
    private var attempts: [ConnectionAttempt] = []
    /// The addresses to which at least one attempt was made.
    private var started: Set<ServerHost> = []
    /// The newest reason of each host that failed, in the order of the failures.
    private(set) var failures: [(host: ServerHost, error: StoreError)] = []

    /// The maximum number of attempts at the same time: a name may have many addresses.
    private static let width = 8

    /// - Parameters:
    ///   - first: the host to try first. Its name is looked up anew, and may have another address by now.
    ///   - seconds: the time that each host has to accept a connection.
    init(
        _ libpq: Libpq, _ settings: [(String, String)], _ hosts: [ServerHost], first: ServerHost? = nil,
        within seconds: Int, _ lookups: NameLookups
    ) {
        self.first = first
        waiting = hosts.filter { first?.belongs(to: $0) == true } + hosts.filter { first?.belongs(to: $0) != true }
        self.libpq = libpq
        self.settings = settings
        self.seconds = seconds
        self.lookups = lookups
    }

    /// Whether nothing is in progress. Some hosts may still be waiting.
    var isIdle: Bool { looking.isEmpty && attempts.isEmpty }

    /// Starts with the next host only, and only with one address of its name.
    mutating func startFirst() {
        guard !waiting.isEmpty else { return }
        start(waiting.removeFirst())
    }

    /// Starts with all hosts, as far as the width allows.
    mutating func startAll() {
        while looking.count + attempts.count < Self.width, !waiting.isEmpty { startFirst() }
    }

    /// Starts with a host immediately, unless an attempt to connect to it is in progress.
    mutating func start(again host: ServerHost) {
        guard !attempts.contains(where: { $0.host == host }) else { return }
        waiting.removeAll { $0 == host }
        start(host)
    }

    private mutating func start(_ host: ServerHost) {
        if let name = host.nameToLookUp {
            looking.append((host, lookups.start(name), .now + .seconds(seconds)))
            return finishLookups()
        }
        started.insert(host)
        do throws(StoreError) {
            attempts.append(try ConnectionAttempt(to: host, settings, within: seconds, libpq))
        } catch {
            note(error, host)
        }
    }

    /// Starts with one address of each name whose lookup is done. The others wait.
    private mutating func finishLookups() {
        let (now, pending) = (ContinuousClock.now, looking)
        looking = []
        for entry in pending {
            let place = "server at \(entry.host.description)"
            switch entry.lookup.result {
            case .addresses(let addresses)?:
                let hosts = addresses.map { ServerHost(name: entry.host.name, address: $0, port: entry.host.port) }
                let sorted = hosts.filter { $0 == first } + hosts.filter { $0 != first }
                let new = sorted.filter { !started.contains($0) }
                waiting = new.dropFirst() + waiting
                if let next = new.first { start(next) }
            case .failure(let reason)?:
                fail(entry.host, "\(place): its name could not be looked up: \(reason)")
            case nil where entry.end <= now:
                fail(entry.host, "\(place): its name was not looked up within \(seconds) s")
            case nil: looking.append(entry)
            }
        }
    }

    private mutating func fail(_ host: ServerHost, _ cause: String) {
        note(StoreError(.unavailable, ConnectionAttempt.unreachable, cause: cause), host)
    }

    /// Records why a host is not used.
    mutating func note(_ error: StoreError, _ host: ServerHost) {
        failures.removeAll { $0.host == host }
        failures.append((host, error))
    }

    /// Forgets the failures, and returns them.
    mutating func takeFailures() -> [ServerHost] {
        defer { failures = [] }
        return failures.map(\.host)
    }

    /// Waits until a connection is open, and returns it. Returns `nil` after some time, or after another event.
    mutating func wait(atMost time: Duration) -> ConnectionAttempt? {
        finishLookups()
        let now = ContinuousClock.now
        // A lookup can't be waited for together with sockets, but rarely takes longer than this.
        var left = looking.isEmpty ? time : min(time, .milliseconds(5))
        for attempt in attempts { left = min(left, attempt.end - now) }
        var entries = attempts.map { pollfd(fd: $0.socket, events: $0.events, revents: 0) }
        // After an interruption, the next call waits again.
        poll(&entries, numericCast(entries.count), Int32(clamping: max(0, left.wholeMilliseconds + 1)))
        var opened: ConnectionAttempt?
        let pending = attempts
        attempts = []
        for (attempt, entry) in zip(pending, entries) {
            guard attempt.end > .now else {
                note(attempt.timeout, attempt.host)
                continue
            }
            guard entry.revents != 0, opened == nil else {
                attempts.append(attempt)
                continue
            }
            switch attempt.advance() {
            case .waits: attempts.append(attempt)
            case .done: opened = attempt
            case .failed(let error): note(error, attempt.host)
            }
        }
        return opened
    }

    /// The error when no host is left. Its cause names the reason of each.
    var error: StoreError {
        guard failures.count > 1 else {
            return failures.first?.error ?? StoreError(.unavailable, ConnectionAttempt.unreachable)
        }
        // The refusal of a server that answered says more than a server that didn't.
        let told = failures.first { $0.error.message != ConnectionAttempt.unreachable }
        let causes = failures.map { host, error in
            error.message == ConnectionAttempt.unreachable
                ? error.cause ?? error.message
                : "server at \(host.description): \(error.message) (\(error.cause ?? "no details"))"
        }
        return StoreError(
            .unavailable, told?.error.message ?? ConnectionAttempt.unreachable, cause: causes.joined(separator: "; "))
    }
}
