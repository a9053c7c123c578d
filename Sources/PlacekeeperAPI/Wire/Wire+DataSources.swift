extension Wire {
    /// The scope of a data source, which defines how identifiers relate between devices.
    package struct Scope: WireWord {
        package static let shared = Self(rawValue: "shared")
        package static let keyed = Self(rawValue: "keyed")
        package static let registered = Self(rawValue: "registered")
        package static let known = [shared, keyed, registered]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The body of `PUT /v1/data-sources/{name}`.
    package struct DataSourceDeclaration: Sendable, Hashable, Codable {
        package var scope: Scope
        /// Whether the nearest neighbor may be selected in place of a removed selected item. Absent means false.
        package var selectsNeighbors: Bool?
        /// The kinds of aliases that different items never share. Absent means none.
        package var uniqueAliases: [String]?
        /// Whether devices may send redirects for a list with the scope `shared`. Absent means false.
        package var allowsRedirects: Bool?

        package init(
            scope: Scope, selectsNeighbors: Bool? = nil, uniqueAliases: [String]? = nil, allowsRedirects: Bool? = nil
        ) {
            self.scope = scope
            self.selectsNeighbors = selectsNeighbors
            self.uniqueAliases = uniqueAliases
            self.allowsRedirects = allowsRedirects
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            scope = try members.decode(Scope.self, forKey: .scope)
            selectsNeighbors = try members.optional(.selectsNeighbors)
            uniqueAliases = try members.optional(.uniqueAliases)
            allowsRedirects = try members.optional(.allowsRedirects)
        }
    }

    package struct DataSource: Sendable, Hashable, Codable {
        package var name: String
        package var scope: Scope
        package var selectsNeighbors: Bool
        package var uniqueAliases: [String]
        package var allowsRedirects: Bool
        /// The state of the requesting device's registration. Absent in lists of data sources, and if devices register
        /// no items of the data source.
        package var registration: RegistrationState?

        package init(
            name: String, scope: Scope, selectsNeighbors: Bool, uniqueAliases: [String], allowsRedirects: Bool,
            registration: RegistrationState?
        ) {
            self.name = name
            self.scope = scope
            self.selectsNeighbors = selectsNeighbors
            self.uniqueAliases = uniqueAliases
            self.allowsRedirects = allowsRedirects
            self.registration = registration
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            name = try members.decode(String.self, forKey: .name)
            scope = try members.decode(Scope.self, forKey: .scope)
            selectsNeighbors = try members.decode(Bool.self, forKey: .selectsNeighbors)
            uniqueAliases = try members.decode([String].self, forKey: .uniqueAliases)
            // Older services don't send this member.
            allowsRedirects = try members.optional(.allowsRedirects) ?? false
            registration = try members.optional(.registration)
        }
    }

    /// The state of a device's registration. Registrations with the same digest contain the same items.
    package struct RegistrationState: Sendable, Hashable, Codable {
        package var cursor: Int64
        /// The digest of the registered items: 32 hexadecimal digits.
        package var digest: String
        package var count: Int

        package init(cursor: Int64, digest: String, count: Int) {
            self.cursor = cursor
            self.digest = digest
            self.count = count
        }
    }

    package struct Item: Sendable, Hashable, Codable {
        package var identifier: String
        package var aliases: [String]?
        package var position: Int64?

        package init(identifier: String, aliases: [String]?, position: Int64?) {
            self.identifier = identifier
            self.aliases = aliases
            self.position = position
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            identifier = try members.decode(String.self, forKey: .identifier)
            aliases = try members.optional(.aliases)
            position = try members.optional(.position)
        }
    }

    package struct Redirect: Sendable, Hashable, Codable {
        package var from: String
        package var to: String

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// The body of `PATCH …/items`.
    package struct ItemDelta: Sendable, Hashable, Codable {
        package var upserts: [Item]?
        package var removals: [String]?
        package var redirects: [Redirect]?
        /// The last cursor known to the device, as a precondition. If the registration has a different cursor, the
        /// service refuses the delta.
        package var after: Int64?

        package init(upserts: [Item]?, removals: [String]?, redirects: [Redirect]?, after: Int64?) {
            self.upserts = upserts
            self.removals = removals
            self.redirects = redirects
            self.after = after
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            upserts = try members.optional(.upserts)
            removals = try members.optional(.removals)
            redirects = try members.optional(.redirects)
            after = try members.optional(.after)
            // Don't treat a body with a misspelled member, or an item instead of a delta, as an empty delta.
            guard upserts != nil || removals != nil || redirects != nil || after != nil else {
                throw DecodingError.invalidMember(
                    "A delta must have at least one of the members upserts, removals, redirects and after.",
                    at: decoder.codingPath)
            }
        }
    }

    /// The body of `POST …/resolve`.
    package struct ResolutionQuestion: Sendable, Hashable, Codable {
        /// The ID of the device whose identifiers these are.
        package var device: String
        package var identifiers: [String]

        package init(device: String, identifiers: [String]) {
            self.device = device
            self.identifiers = identifiers
        }
    }

    package struct ResolutionStep: WireWord {
        package static let exact = Self(rawValue: "exact")
        package static let alias = Self(rawValue: "alias")
        package static let alignment = Self(rawValue: "alignment")
        package static let indistinguishable = Self(rawValue: "indistinguishable")
        package static let pending = Self(rawValue: "pending")
        package static let neighbor = Self(rawValue: "neighbor")
        package static let indexPath = Self(rawValue: "indexPath")
        package static let unresolved = Self(rawValue: "unresolved")
        package static let known = [
            exact, alias, alignment, indistinguishable, pending, neighbor, indexPath, unresolved,
        ]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package struct Resolution: Sendable, Hashable, Codable {
        package var source: String
        /// The identifier on the requesting device, or `null` if no item was found.
        package var identifier: String?
        package var step: ResolutionStep
        /// The confidence that this is the right item, from 0 to 1. It is a ranking, not a probability.
        package var confidence: Double
        package var ambiguous: Bool

        package init(
            source: String, identifier: String?, step: ResolutionStep, confidence: Double, ambiguous: Bool
        ) {
            self.source = source
            self.identifier = identifier
            self.step = step
            self.confidence = confidence
            self.ambiguous = ambiguous
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(source, forKey: .source)
            // Encode `null` explicitly. A missing member could mean that the service didn't look for the item.
            try members.encode(identifier, forKey: .identifier)
            try members.encode(step, forKey: .step)
            try members.encode(confidence, forKey: .confidence)
            try members.encode(ambiguous, forKey: .ambiguous)
        }
    }

    package struct Resolutions: Sendable, Hashable, Codable {
        package var results: [Resolution]

        package init(results: [Resolution]) { self.results = results }
    }
}
