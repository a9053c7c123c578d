import PlacekeeperArchive

extension Wire {
    /// The body of `POST /v1/devices`.
    struct Registration: Encodable {
        /// The installation's id and secret.
        struct Installation: Encodable {
            var id: String
            var secret: String

            init(_ installation: Credentials.Installation) {
                (id, secret) = (installation.id, installation.secret)
            }
        }

        /// The app's publishable key.
        var app: String
        var idiom: String
        var model: String?
        var name: String?
        var systemVersion: String?
        var installation: Installation
        var linkCode: String?
        var signInToken: String?
        var copyOf: Installation?
    }

    /// The body of `POST …/outcomes`: the outcome of a restore.
    struct Outcome: Encodable {
        var result: String
        var idiom: String
        var layout: String?
        var bundleVersion: String?
        var systemVersion: String?
        var stateVersion: Int64?
        var launch: String
        /// The restoration path of the object whose restore failed.
        var path: String?
        /// The index of the place's first step that was not reached, or the number of steps if all were reached.
        var step: Int?
        /// The seconds that the restore took.
        var duration: Double?
    }

    /// The body of `PUT /v1/data-sources/{name}`.
    struct DataSourceDeclaration: Sendable, Encodable {
        private let scope = "registered"
        private let selectsNeighbors: Bool?
        private let uniqueAliases: [String]?

        /// Creates the declaration of a list whose items are registered. Omits values that are false or empty.
        init(selectsNeighbors: Bool = false, uniqueAliases: [String] = []) {
            self.selectsNeighbors = selectsNeighbors ? true : nil
            self.uniqueAliases = uniqueAliases.isEmpty ? nil : uniqueAliases
        }
    }

    /// The body of `PATCH …/items`.
    struct ItemDelta: Sendable, Encodable {
        var upserts: [Item]?
        var removals: [String]?
        var redirects: [Redirect]?
        /// The last cursor that the device knows. The service refuses the delta if the registration is at another
        /// cursor.
        var after: Int64
    }

    struct Redirect: Sendable, Hashable, Encodable {
        var from: String
        var to: String

        // Identifiers are compared by their bytes.
        private var names: [ByteText] { [ByteText(from), ByteText(to)] }
        static func == (left: Self, right: Self) -> Bool { left.names == right.names }
        func hash(into hasher: inout Hasher) { hasher.combine(names) }
    }
}
