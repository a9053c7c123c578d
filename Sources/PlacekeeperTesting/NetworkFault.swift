/// A fault of the network between a virtual device and the service.
public struct NetworkFault: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case offline, lostRequest, lostAnswer, tornAnswer, status(Int), portal, never, slow(Double)
    }

    let kind: Kind

    /// There is no connection.
    public static let offline = NetworkFault(kind: .offline)
    /// The request does not reach the service.
    public static let lostRequest = NetworkFault(kind: .lostRequest)
    /// The service carries the request out, and its answer is lost.
    public static let lostAnswer = NetworkFault(kind: .lostAnswer)
    /// The service carries the request out, and a proxy cuts the body of its answer off.
    public static let tornAnswer = NetworkFault(kind: .tornAnswer)
    /// A proxy answers with a status and without a body. The service does not receive the request.
    public static func status(_ status: Int) -> NetworkFault { NetworkFault(kind: .status(status)) }
    /// A captive portal answers with a page and the status 200. The service does not receive the request.
    public static let captivePortal = NetworkFault(kind: .portal)
    /// The request is never answered. The client gives up after `Options.requestDeadline`.
    public static let never = NetworkFault(kind: .never)
    /// The service carries the request out, and its answer arrives after some seconds of the test's clock. The client
    /// gives up after `Options.requestDeadline`.
    public static func slow(_ seconds: Double) -> NetworkFault { NetworkFault(kind: .slow(seconds)) }
}
