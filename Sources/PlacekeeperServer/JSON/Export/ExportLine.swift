import PlacekeeperAPI

/// A line of an export in JSON (docs/export-format.md). The member `kind` names the case.
enum ExportLine: Sendable, Codable {
    case header(Header)
    case revision(LatestRevision)
    case device(Device)
    case scene(Scene)
    case archive(Archive)
    case change(Change)
    case registration(Registration)
    case item(Item)
    case decision(Decision)
    case end(End)

    /// The version of the format that this version of the service writes and reads.
    static let format = 1

    struct Header: Sendable, Codable {
        var format: Int
        var app: String
        var user: String
        var subject: String?
        var exportedAt: Time
        /// The version of the service that made the export.
        var version: String
    }

    struct LatestRevision: Sendable, Codable {
        var revision: Int64
    }

    struct Device: Sendable, Codable {
        var id: String
        var idiom: Wire.Idiom
        var model: String?
        var name: String?
        var systemVersion: String?
        var createdAt: Time
        var lastSeenAt: Time
    }

    struct Scene: Sendable, Codable {
        var name: String
        var forgottenAt: Time?
        var forgottenRevision: Int64?
    }

    struct Archive: Sendable, Codable {
        var id: String
        var scene: String
        var device: String
        var revision: Int64
        var orderRevision: Int64?
        var isViewOnly: Bool?
        var capturedAt: Time
        var writtenAt: Time
        var receivedAt: Time
        var sequence: Int64?
        var context: Wire.Context
        var digest: String
        var size: Int
        var place: [String]
        var objectCount: Int
        var referenceCount: Int
        /// Base64.
        var bytes: String
        var screenshot: Screenshot?
        var outcomes: [Outcome]
        /// The name of `isViewOnly` in exports of 0.1.0.
        var isGlance: Bool?
        /// The name of `screenshot` in exports of 0.1.0.
        var snapshot: Screenshot?
    }

    struct Screenshot: Sendable, Codable {
        var format: String
        /// Base64.
        var bytes: String
    }

    struct Outcome: Sendable, Codable {
        var device: String
        var result: Wire.Outcome.Result
        var context: Wire.Context
        var launch: String?
        var path: String?
        var step: Int64?
        /// Seconds.
        var duration: Double?
        var reportedAt: Time
    }

    struct Change: Sendable, Codable {
        var revision: Int64
        var change: Wire.Change.Kind
        var scene: String?
        var archive: String?
        var device: String?
        var at: Time
    }

    struct Registration: Sendable, Codable {
        var dataSource: String
        var device: String
        var cursor: Int64
        var digest: String
    }

    struct Item: Sendable, Codable {
        var dataSource: String
        var device: String
        var identifier: String
        var aliases: [String]
        var position: Int64?
        var changedAt: Time
        var since: Time?
        var isReuse: Bool?
        var removedAt: Time?
        var replacedBy: String?
    }

    struct Decision: Sendable, Codable {
        struct End: Sendable, Codable {
            var device: String
            var identifier: String
        }

        var dataSource: String
        var decision: String
        var first: End
        var second: End
        var note: String
        var decidedAt: Time
    }

    struct End: Sendable, Codable {
        /// The number of lines between the header and the end.
        var lines: Int
        /// The SHA-256 of these lines in hexadecimal digits.
        var sha256: String
    }

    private enum Kind: String, Codable {
        case header, revision, device, scene, archive, change, registration, item, decision, end
    }

    private enum CodingKeys: CodingKey { case kind }

    init(from decoder: any Decoder) throws {
        self =
            switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .kind) {
            case .header: .header(try Header(from: decoder))
            case .revision: .revision(try LatestRevision(from: decoder))
            case .device: .device(try Device(from: decoder))
            case .scene: .scene(try Scene(from: decoder))
            case .archive: .archive(try Archive(from: decoder))
            case .change: .change(try Change(from: decoder))
            case .registration: .registration(try Registration(from: decoder))
            case .item: .item(try Item(from: decoder))
            case .decision: .decision(try Decision(from: decoder))
            case .end: .end(try End(from: decoder))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let (kind, value): (Kind, any Encodable) =
            switch self {
            case .header(let value): (.header, value)
            case .revision(let value): (.revision, value)
            case .device(let value): (.device, value)
            case .scene(let value): (.scene, value)
            case .archive(let value): (.archive, value)
            case .change(let value): (.change, value)
            case .registration(let value): (.registration, value)
            case .item(let value): (.item, value)
            case .decision(let value): (.decision, value)
            case .end(let value): (.end, value)
            }
        try container.encode(kind, forKey: .kind)
        try value.encode(to: encoder)
    }
}
