import PlacekeeperHTTP
import PlacekeeperAPI

/// A request about the owner's data. The owner and every other caller send the same request.
struct Probe {
    /// The response to a caller of another user or another app.
    enum Others {
        /// Every caller gets the response that the owner gets.
        case sameForAll
        /// The response is the same as if the owner did not exist. The status is given.
        case asIfMissing(Int)
        /// The request has a link code or a sign-in token, or it concerns data that all users of an app share. So a user
        /// of the same app gets a response with the first status. A caller of another app gets the same response as if
        /// the owner did not exist, with the second status.
        case admitted(Int, otherApp: Int)
    }

    var method: PlacekeeperHTTP.Method
    var target: String
    var body: [UInt8] = []
    var fields: [String] = []
    /// The status of the response to the owner.
    var owner: Int
    var others: Others

    /// The status of the response to another user of the same app.
    var statusForOtherUser: Int {
        switch others {
        case .sameForAll: owner
        case .asIfMissing(let status), .admitted(let status, _): status
        }
    }

    /// The status of the response to a caller of another app.
    var statusForOtherApp: Int {
        switch others {
        case .sameForAll: owner
        case .asIfMissing(let status), .admitted(_, let status): status
        }
    }

    /// Whether the owner's data decides the response to another user of the same app.
    var admitsOtherUser: Bool { if case .admitted = others { true } else { false } }
}

/// The identifiers in the world of the owner that a probe may name.
struct ProbeNames {
    /// Another device of the owner.
    var device: String
    /// The publishable keys of the owner's app and of the other app.
    var app: String
    var otherApp: String
    /// A link code of the owner.
    var linkCode: String
    /// The id and the secret of the owner's installation.
    var installation: (id: String, secret: String)
    /// The entity tag of the owner's archive.
    var entityTag: String

    /// Names that exist in no world. They are enough to count the probes of a route.
    static let unknown = ProbeNames(
        device: "", app: "", otherApp: "", linkCode: "", installation: ("", ""), entityTag: "")
}
