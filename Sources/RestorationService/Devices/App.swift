/// One product: its keys, policy and retention.
package struct App: Sendable, Hashable {
    package var id: AppID
    /// Such as `com.example.photos`; unique among apps.
    package var bundleIdentifier: String
    /// `pk_…`: names the app where no token can. It is no secret.
    package var publishableKey: String
    package var createdAt: Timestamp
    package var settings: Settings
    /// By name.
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

    /// The declared data source of a name. Returns nil for a longer name than can be declared without hashing it: an archive
    /// may hold a thousand references to one very long name.
    func dataSource(named name: String) -> DataSource? {
        name.utf8.count <= Limits.dataSourceName ? dataSources[name] : nil
    }

    /// What an operator sets for an app. Stored as one JSON document, so that a new setting needs no migration.
    package struct Settings: Sendable, Hashable, Codable {
        package enum Registration: String, Sendable, Codable {
            /// Anyone with the publishable key may register a device, as a new anonymous user or with a link code.
            case open
            /// A device registers with a link code only.
            case linkOnly
        }

        /// The operator's switch, which clients hear of with the manifest.
        package enum Restoration: String, Sendable, Codable {
            case auto, offer, off
        }

        package var policy = CompatibilityPolicy()
        package var registration = Registration.open
        package var restoration = Restoration.auto
        package var allowsSnapshots = false
        /// Archives kept for each scene and idiom; each device's servable latest is kept besides.
        package var retainedArchives = 20

        package init() {}

        enum CodingKeys: CodingKey {
            case policy, registration, restoration, allowsSnapshots, retainedArchives
        }
    }
}
