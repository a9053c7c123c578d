import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// A connection to one host that is being opened, or has been opened. Closed when nobody uses it any more.
final class ConnectionAttempt {
    enum Progress {
        case waits, done
        case failed(StoreError)
    }

    let libpq: Libpq
    let handle: OpaquePointer
    let host: ServerHost
    let end: ContinuousClock.Instant
    /// The events to wait for before the next `advance`.
    private(set) var events = Int16(POLLOUT)
    private let seconds: Int

    /// Starts to connect. Doesn't wait, because the host has an address.
    ///
    /// - Parameter settings: libpq's settings. Those of the host are added, and win.
    init(
        to host: ServerHost, _ settings: [(String, String)], within seconds: Int, _ libpq: Libpq
    ) throws(StoreError) {
        guard let handle = Self.start(settings + host.settings, libpq) else {
            throw StoreError(.unavailable, "There is no memory for a connection.")
        }
        self.libpq = libpq
        self.handle = handle
        self.host = host
        self.seconds = seconds
        end = .now + .seconds(seconds)
        if libpq.status(handle) == Libpq.connectionIsBad { throw error }
    }

    deinit { libpq.finish(handle) }

    /// Starts to connect with libpq's settings, of which later ones win.
    static func start(_ settings: [(String, String)], _ libpq: Libpq) -> OpaquePointer? {
        Connection.withTexts(settings.map(\.0)) { keys in
            Connection.withTexts(settings.map(\.1)) { values in libpq.connectStart(keys, values, 1) }
        }
    }

    /// The socket, which may change with each `advance`.
    var socket: Int32 { libpq.socket(handle) }

    /// Sends and receives what the socket allows.
    func advance() -> Progress {
        switch Libpq.PollingStatus(rawValue: libpq.connectPoll(handle)) {
        case .reading?: events = Int16(POLLIN)
        case .writing?: events = Int16(POLLOUT)
        case .done?: return .done
        case nil: return .failed(error)
        }
        return .waits
    }

    /// The error for a host that has not answered by `end`.
    var timeout: StoreError {
        StoreError(
            .unavailable, Self.unreachable,
            cause: "server at \(host.description) did not answer within \(seconds) s")
    }

    private var error: StoreError {
        // Before the first statement, the message names the server and the user, but no stored values.
        let cause = libpq.errorMessage(handle).map { String(cString: $0) }
        return StoreError(
            .unavailable, Self.unreachable, cause: cause?.split(separator: "\n").first.map { String($0.prefix(300)) })
    }

    static let unreachable = "The database cannot be reached, or refuses the connection."
}
