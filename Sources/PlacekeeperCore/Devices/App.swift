/// An app: its identifiers, publishable key, settings and declared data sources.
package struct App: Sendable, Hashable {
    package var id: AppID
    /// The bundle identifier, such as `com.example.photos`. Unique among apps.
    package var bundleIdentifier: String
    /// Identifies the app in requests without a token. Starts with `pk_` and isn't a secret.
    package var publishableKey: String
    package var createdAt: Timestamp
    package var settings: Settings
    /// The declared data sources by name.
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

    /// Returns the declared data source with this name, if any. A name that is too long to be declared isn't even
    /// hashed, because an archive may hold a thousand references to one very long name.
    package func dataSource(named name: String) -> DataSource? {
        name.utf8.count <= Limits.dataSourceName ? dataSources[name] : nil
    }

    /// Whether the app is being deleted. Devices then get the same answers as after the deletion.
    package var isBeingDeleted: Bool { settings.isBeingDeleted ?? false }

    /// Returns whether an archive may be served with different bytes after devices register items.
    package func dependsOnIdentity(_ archive: Archive) -> Bool {
        archive.summary.referenceCount > 0 && dataSources.values.contains(where: \.acceptsItems)
    }

    /// An operator's settings for an app. Stored as one JSON document, so adding a setting needs no migration.
    package struct Settings: Sendable, Hashable, Codable {
        package enum Registration: String, Sendable, Codable {
            /// Anyone with the publishable key may register a device: as a new anonymous user, or with a link code.
            case open
            /// Registering takes a link code.
            case linkOnly
            /// Registering takes a sign-in token or a link code.
            case token
        }

        /// How clients may use archives. Sent to them with the manifest.
        package enum Restoration: String, Sendable, Codable {
            case auto, offer, off
        }

        /// Settings for verifying sign-in tokens (`SignInVerifying`).
        package struct SignIn: Sendable, Hashable, Codable {
            /// The issuer (`iss`) that a token must have. Nil accepts any.
            package var issuer: String?
            /// An audience (`aud`) that a token must have. Nil accepts any.
            package var audience: String?
            /// The absolute path of a file with more keys, as a JWK Set (RFC 7517).
            package var keysFile: String?
            /// The keys as JWKs (RFC 7517). All their members are strings. The member `k` is secret.
            package var keys: [[String: String]] = []

            package init() {}

            enum CodingKeys: CodingKey {
                case issuer, audience, keysFile, keys
            }

            /// The settings with only the public members of the keys, for output.
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
        /// The origins (RFC 6454) of the web pages that may use the app's publishable key and tokens. Each one is as a
        /// browser sends it (`WebOrigin`).
        package var webOrigins: [String] = []
        package var restoration = Restoration.auto
        package var allowsScreenshots = false
        /// Whether the admin API returns the values in archives, the titles of places, the identifiers of items, the
        /// names of devices and the subjects of users. If not, these texts are redacted for every administrator.
        package var showsContents = false
        /// How many archives a scene keeps for each idiom. Each device keeps what it needs on top (`Retention`).
        package var retainedArchives = 20
        package var rateLimits = RateLimits()
        package var quotas = Quotas()
        /// How long a device of a user with an account may be unused before the user must sign in again. Nil means forever.
        /// Anonymous devices keep their tokens, because nothing else gives access to their data.
        package var tokenLifetime: TimeSpan?
        package var breaker = Breaker()
        package var stoppedRestores: [StoppedRestore] = []
        /// True while the app is being deleted. Nil otherwise. Nothing sets it back.
        package var isBeingDeleted: Bool?

        package init() {}

        enum CodingKeys: CodingKey {
            case policy, signIn, registration, webOrigins, restoration, allowsScreenshots, showsContents
            case retainedArchives, rateLimits, quotas, tokenLifetime, breaker, stoppedRestores, isBeingDeleted
        }
    }
}
