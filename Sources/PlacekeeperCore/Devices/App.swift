/// An app: its identifiers, publishable key, settings and declared data sources.
package struct App: Sendable, Hashable {
    package var id: AppID
    /// The bundle identifier, such as `com.example.photos`. It is unique among apps.
    package var bundleIdentifier: String
    /// The key that identifies the app in requests without a token. It begins with `pk_` and is not a secret.
    package var publishableKey: String
    package var createdAt: Timestamp
    package var settings: Settings
    /// The declared data sources, by name.
    package var dataSources: [String: DataSource]

    package init(
        id: AppID, bundleIdentifier: String, publishableKey: String, createdAt: Timestamp,
        settings: Settings = Settings(), dataSources: [String: DataSource] = [:]
    ) {
        self.id = id
        self.bundleIdentifier = bundleIdentifier
        self.publishableKey = publishableKey
        self.createdAt = createdAt
        self.settings = settings
        self.dataSources = dataSources
    }

    /// Returns the declared data source with a name. For a name that is too long to be declared, returns nil without
    /// hashing the name, because an archive may hold a thousand references to one very long name.
    package func dataSource(named name: String) -> DataSource? {
        name.utf8.count <= Limits.dataSourceName ? dataSources[name] : nil
    }

    /// Returns whether the served bytes of an archive may change when devices register items.
    package func dependsOnIdentity(_ archive: Archive) -> Bool {
        archive.summary.referenceCount > 0 && dataSources.values.contains(where: \.acceptsItems)
    }

    /// An operator's settings for an app. The settings are stored as one JSON document, so that a new setting needs
    /// no migration.
    package struct Settings: Sendable, Hashable, Codable {
        package enum Registration: String, Sendable, Codable {
            /// Anyone with the publishable key may register a device, as a new anonymous user or with a link code.
            case open
            /// A device needs a link code to register.
            case linkOnly
            /// A device needs a sign-in token or a link code to register.
            case token
        }

        /// The operator's setting for the use of archives by clients. Clients receive this setting with the manifest.
        package enum Restoration: String, Sendable, Codable {
            case auto, offer, off
        }

        /// The settings for verifying sign-in tokens (`SignInVerifying`).
        package struct SignIn: Sendable, Hashable, Codable {
            /// The required issuer (`iss`) of a token. Nil if every issuer is accepted.
            package var issuer: String?
            /// A required audience (`aud`) of a token. Nil if every audience is accepted.
            package var audience: String?
            /// The absolute path of a file with a set of keys (RFC 7517), which are used in addition to `keys`.
            package var keysFile: String?
            /// The keys in their JSON form (RFC 7517). All their members are strings. The member `k` is secret.
            package var keys: [[String: String]] = []

            package init() {}

            enum CodingKeys: CodingKey {
                case issuer, audience, keysFile, keys
            }

            /// These settings with only the public members of the keys, for output.
            package var withoutSecrets: SignIn {
                var copy = self
                let isPublic: Set = ["kty", "alg", "kid", "n", "e", "crv", "x", "y"]
                copy.keys = keys.map { $0.filter { isPublic.contains($0.key) } }
                return copy
            }
        }

        package var policy = CompatibilityPolicy()
        package var signIn = SignIn()
        package var registration = Registration.open
        package var restoration = Restoration.auto
        package var allowsScreenshots = false
        /// Whether the admin API gives the values in archives, the titles of places, the identifiers of items, the names
        /// of devices and the subjects of users. Otherwise these texts are redacted for every administrator.
        package var showsContents = false
        /// The number of archives that a scene keeps for each idiom. In addition, the scene keeps the archives that
        /// each device needs (`Retention`).
        package var retainedArchives = 20
        package var rateLimits = RateLimits()
        package var quotas = Quotas()
        package var breaker = Breaker()
        package var stoppedRestores: [StoppedRestore] = []

        package init() {}

        enum CodingKeys: CodingKey {
            case policy, signIn, registration, restoration, allowsScreenshots, showsContents, retainedArchives
            case rateLimits, quotas, breaker, stoppedRestores
        }
    }
}
