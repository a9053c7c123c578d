import PlacekeeperClient

/// A network fault between a virtual device and the service.
public struct NetworkFault: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case offline, lostRequest, lostAnswer, tornAnswer, status(Int), portal, never, slow(Double)
    }

    let kind: Kind

    /// There is no connection.
    public static let offline = NetworkFault(kind: .offline)
    /// The request doesn't reach the service.
    public static let lostRequest = NetworkFault(kind: .lostRequest)
    /// The service carries out the request, but the response is lost.
    public static let lostAnswer = NetworkFault(kind: .lostAnswer)
    /// The service carries out the request, but a proxy cuts off the body of the response.
    public static let tornAnswer = NetworkFault(kind: .tornAnswer)
    /// A proxy responds with a status and no body. The request doesn't reach the service.
    public static func status(_ status: Int) -> NetworkFault { NetworkFault(kind: .status(status)) }
    /// A captive portal responds with a page and the status 200. The request doesn't reach the service.
    public static let captivePortal = NetworkFault(kind: .portal)
    /// There is never a response. The client gives up after `Configuration.requestDeadline`.
    public static let never = NetworkFault(kind: .never)
    /// The service carries out the request, and the response arrives after a number of seconds of the test's clock. The
    /// client gives up after `Configuration.requestDeadline`.
    public static func slow(_ time: Duration) -> NetworkFault { NetworkFault(kind: .slow(time.seconds)) }
}
