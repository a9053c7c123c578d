import Foundation
import PlacekeeperArchive
import PlacekeeperModels

// Requests and their fields.
extension ClientCore {
    func request(
        _ method: String, _ target: String, fields: [TransportRequest.Field] = [], body: [UInt8] = []
    ) -> TransportRequest {
        var fields = fields
        if let registration { fields.append(.init("Authorization", "Bearer " + registration.token)) }
        fields.append(.init("Launch-Id", launch))
        if let countedLaunch { fields.append(.init("Counted-Launch", countedLaunch.field)) }
        return TransportRequest(method, target, fields: fields, body: body, deadline: settings.requestDeadline)
    }

    func request(_ method: String, _ target: String, json body: any Encodable) -> TransportRequest {
        // Encoding cannot fail: the bodies consist of strings, finite numbers and flags.
        let bytes = (try? [UInt8](JSONEncoder.sorted.encode(body))) ?? []
        return request(method, target, fields: [.init("Content-Type", "application/json")], body: bytes)
    }

    /// The query that describes a device's context.
    func query(_ context: RestorationContext) -> String {
        var items = ["idiom=" + context.idiom.wireName]
        func add(_ name: String, _ value: String?) {
            guard let value = value?.addingPercentEncoding(withAllowedCharacters: .unreserved) else { return }
            items.append(name + "=" + value)
        }
        add("layout", context.layout?.rawValue)
        add("bundleVersion", context.bundleVersion)
        add("systemVersion", context.systemVersion)
        add("stateVersion", context.stateVersion.map(String.init))
        return "?" + items.joined(separator: "&")
    }

    /// The path of a scene's archives. The scene's name was checked when the scene was opened.
    func archives(of scene: String) -> String { "/v1/scenes/\(scene)/archives" }
}

extension CharacterSet {
    /// The characters that need no percent-encoding (RFC 3986 section 2.3).
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension UserInterfaceIdiom {
    /// The idiom's name in requests.
    var wireName: String {
        switch self {
        case .phone: "phone"
        case .pad: "pad"
        case .tv: "tv"
        case .carPlay: "carPlay"
        case .watch: "watch"
        case .mac: "mac"
        case .vision: "vision"
        default: "unspecified"
        }
    }
}

extension TransportResponse {
    /// The revision that the service assigned to an upload.
    var revision: Int64? { self["placekeeper-revision"].flatMap(Int64.init) }
}
