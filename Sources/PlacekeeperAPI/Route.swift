/// The table of routes: each route has a name, a method and a path template.
///
/// The server routes requests by this table. `openapi.yaml` has the same routes. Logs and counters identify a route by
/// its template. The raw value is the route's `operationId`.
package enum Route: String, Sendable, Hashable, CaseIterable {
    case registerDevice
    case listDevices
    case readOwnDevice
    case describeOwnDevice
    case revokeOwnDevice
    case linkOwnDevice
    case signIn
    case signOut
    case replaceToken
    case revokeDevice
    case createLinkCode
    case eraseUser
    case exportUser

    case listArchives
    case forgetScene
    case storeArchive
    case readArchive
    case deleteArchive
    case readLatest
    case explainLatest
    case readRestorable
    case reportOutcome
    case makeHead
    case storeSnapshot
    case readSnapshot

    case listDataSources
    case declareDataSource
    case readDataSource
    case changeItems
    case listItems
    case resolveIdentifiers

    case listPlaces
    case readManifest
    case listChanges
    case streamEvents

    case readLimits
    case readLiveness
    case readReadiness
    case readMetrics
    case readVersion
    case readDescription

    case readAdminStatus
    case setUp
    case logIn
    case readSession
    case logOut
    case changePassword
    case listAdministrators
    case createAdministrator
    case changeAdministrator
    case removeAdministrator
    case listAPITokens
    case createAPIToken
    case revokeAPIToken
    case listServiceAudit
    case listApps
    case createApp
    case readApp
    case changeAppSettings
    case readOverview
    case readHealth
    case trySettings
    case listAuditEntries
    case listUsers
    case findInApp
    case readUser
    case listTimeline
    case inspectArchive
    case deleteUsersArchive
    case downloadArchive
    case viewSnapshot
    case compareArchives
    case makeUsersHead
    case explainScene
    case listUsersDataSources
    case listUsersItems
    case explainItem
    case listDecisions
    case decideItems
    case undecideItems
    case readAbout
    case streamAppEvents
    case listDeletedArchives
    case undeleteArchive
    case listAnswers
    case listAmbiguousAliases

    package enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method { row.method }

    /// The path template, with a name in braces for each variable segment (RFC 6570 level 1).
    package var template: String { row.template }

    /// Whether the route belongs to the admin API. Such a route never accepts a device token.
    package var isAdministrative: Bool { template.utf8.starts(with: "/admin/".utf8) }

    /// Whether the route requires a device token.
    package var needsToken: Bool {
        switch self {
        case .registerDevice, .readLimits, .readLiveness, .readReadiness, .readMetrics, .readVersion, .readDescription:
            false
        default: !isAdministrative
        }
    }

    /// Whether the route changes data, so that a read-only token is refused.
    package var writes: Bool {
        switch self {
        // The request has a body, but it only asks.
        case .resolveIdentifiers: false
        default: method != .get
        }
    }

    private static let user = "/admin/api/apps/{app}/users/{user}"
    private static let usersArchive = user + "/scenes/{scene}/archives/{archive}"

    private var row: (method: Method, template: String) {
        switch self {
        case .registerDevice: (.post, "/v1/devices")
        case .listDevices: (.get, "/v1/devices")
        case .readOwnDevice: (.get, "/v1/devices/self")
        case .describeOwnDevice: (.patch, "/v1/devices/self")
        case .revokeOwnDevice: (.delete, "/v1/devices/self")
        case .linkOwnDevice: (.post, "/v1/devices/self/link")
        case .signIn: (.post, "/v1/devices/self/sign-in")
        case .signOut: (.post, "/v1/devices/self/sign-out")
        case .replaceToken: (.post, "/v1/devices/self/token")
        case .revokeDevice: (.delete, "/v1/devices/{device}")
        case .createLinkCode: (.post, "/v1/link-codes")
        case .eraseUser: (.delete, "/v1/users/self")
        case .exportUser: (.get, "/v1/export")

        case .listArchives: (.get, "/v1/scenes/{scene}/archives")
        case .forgetScene: (.delete, "/v1/scenes/{scene}")
        case .storeArchive: (.put, "/v1/scenes/{scene}/archives/{archive}")
        case .readArchive: (.get, "/v1/scenes/{scene}/archives/{archive}")
        case .deleteArchive: (.delete, "/v1/scenes/{scene}/archives/{archive}")
        case .readLatest: (.get, "/v1/scenes/{scene}/archives/latest")
        case .explainLatest: (.get, "/v1/scenes/{scene}/archives/latest/explanation")
        case .readRestorable: (.get, "/v1/scenes/{scene}/archives/{archive}/restorable")
        case .reportOutcome: (.post, "/v1/scenes/{scene}/archives/{archive}/outcomes")
        case .makeHead: (.post, "/v1/scenes/{scene}/archives/{archive}/head")
        case .storeSnapshot: (.put, "/v1/scenes/{scene}/archives/{archive}/snapshot")
        case .readSnapshot: (.get, "/v1/scenes/{scene}/archives/{archive}/snapshot")

        case .listDataSources: (.get, "/v1/data-sources")
        case .declareDataSource: (.put, "/v1/data-sources/{name}")
        case .readDataSource: (.get, "/v1/data-sources/{name}")
        case .changeItems: (.patch, "/v1/data-sources/{name}/items")
        case .listItems: (.get, "/v1/data-sources/{name}/items")
        case .resolveIdentifiers: (.post, "/v1/data-sources/{name}/resolve")

        case .listPlaces: (.get, "/v1/places")
        case .readManifest: (.get, "/v1/manifest")
        case .listChanges: (.get, "/v1/changes")
        case .streamEvents: (.get, "/v1/events")

        case .readLimits: (.get, "/v1/limits")
        case .readLiveness: (.get, "/livez")
        case .readReadiness: (.get, "/readyz")
        case .readMetrics: (.get, "/metrics")
        case .readVersion: (.get, "/version")
        case .readDescription: (.get, "/openapi.yaml")

        case .readAdminStatus: (.get, "/admin/api/status")
        case .setUp: (.post, "/admin/api/set-up")
        case .logIn: (.post, "/admin/api/session")
        case .readSession: (.get, "/admin/api/session")
        case .logOut: (.delete, "/admin/api/session")
        case .changePassword: (.put, "/admin/api/session/password")
        case .listAdministrators: (.get, "/admin/api/administrators")
        case .createAdministrator: (.post, "/admin/api/administrators")
        case .changeAdministrator: (.patch, "/admin/api/administrators/{administrator}")
        case .removeAdministrator: (.delete, "/admin/api/administrators/{administrator}")
        case .listAPITokens: (.get, "/admin/api/tokens")
        case .createAPIToken: (.post, "/admin/api/tokens")
        case .revokeAPIToken: (.delete, "/admin/api/tokens/{token}")
        case .listApps: (.get, "/admin/api/apps")
        case .createApp: (.post, "/admin/api/apps")
        case .readApp: (.get, "/admin/api/apps/{app}")
        case .changeAppSettings: (.patch, "/admin/api/apps/{app}/settings")
        case .readOverview: (.get, "/admin/api/apps/{app}/overview")
        case .readHealth: (.get, "/admin/api/apps/{app}/health")
        case .trySettings: (.post, "/admin/api/apps/{app}/trials")
        case .listAuditEntries: (.get, "/admin/api/apps/{app}/audit")
        case .listUsers: (.get, "/admin/api/apps/{app}/users")
        case .findInApp: (.get, "/admin/api/apps/{app}/find")
        case .readUser: (.get, Self.user)
        case .listTimeline: (.get, Self.user + "/scenes/{scene}/archives")
        case .inspectArchive: (.get, Self.usersArchive)
        case .deleteUsersArchive: (.delete, Self.usersArchive)
        case .downloadArchive: (.get, Self.usersArchive + "/content")
        case .viewSnapshot: (.get, Self.usersArchive + "/snapshot")
        case .compareArchives: (.get, Self.usersArchive + "/diff")
        case .makeUsersHead: (.post, Self.usersArchive + "/head")
        case .explainScene: (.get, Self.user + "/scenes/{scene}/explanation")
        case .listUsersDataSources: (.get, Self.user + "/data-sources")
        case .listUsersItems: (.get, Self.user + "/data-sources/{name}/items")
        case .explainItem: (.get, Self.user + "/data-sources/{name}/items/{identifier}")
        case .listDecisions: (.get, Self.user + "/data-sources/{name}/decisions")
        case .decideItems: (.post, Self.user + "/data-sources/{name}/decisions")
        case .undecideItems: (.delete, Self.user + "/data-sources/{name}/decisions")
        case .listServiceAudit: (.get, "/admin/api/audit")
        case .readAbout: (.get, "/admin/api/about")
        case .streamAppEvents: (.get, "/admin/api/apps/{app}/events")
        case .listDeletedArchives: (.get, Self.user + "/scenes/{scene}/deleted-archives")
        case .undeleteArchive: (.post, Self.usersArchive + "/undelete")
        case .listAnswers: (.get, Self.user + "/answers")
        case .listAmbiguousAliases: (.get, Self.user + "/data-sources/{name}/ambiguous-aliases")
        }
    }
}
