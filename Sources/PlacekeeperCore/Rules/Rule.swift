/// A write to the data of users, as a pure decision: it reads states in a `Workspace`, changes them, and records the
/// changes of rows. Every store carries out the same rules (`RuleStore.carryOut`). The rules themselves are methods of
/// `Workspace`.
package struct Rule<Answer: Sendable>: Sendable {
    package typealias Body = @Sendable (inout Workspace) throws(Interruption) -> Answer

    /// The name of the method that creates the rule, such as `describe(_:)`.
    package let name: String
    /// The user that the rule is mainly about. Rules of one user run one after another.
    package var owner: UserKey
    /// The bytes of the archive that the rule may store, if any.
    package var bytes: [UInt8]?
    /// How many more bytes the rule holds in memory.
    package var weight = 0
    /// Whether the rule may move all archives of a user.
    package var mayMoveArchives = false
    /// Whether the store may carry out the rule again if it doesn't know whether the first attempt was stored. Such a
    /// rule recognizes its own earlier work.
    package var isRepeatable = false
    /// Whether a result without a write promises the client that something is stored.
    package var acknowledges = true
    /// If a result means that an earlier attempt was carried out, returns its invalidations. Nil for other results.
    package var invalidationsIfDone: @Sendable (Answer) -> Invalidations? = { _ in nil }
    package let decide: Body

    package init(for owner: UserKey, name: String = #function, _ decide: @escaping Body) {
        self.name = name
        self.owner = owner
        self.decide = decide
    }
}

/// Why a rule stopped before it changed anything.
package enum Interruption: Error {
    /// The rule reads data that isn't loaded yet. The store loads it and runs the rule again.
    case needs([Need])
    /// The user doesn't exist, for example because they were erased while the write waited.
    case userGone
}

/// Data that a rule reads. A store loads missing data as absent.
package enum Need: Sendable, Hashable {
    /// A user's row and devices.
    case user(UserKey)
    /// A user's tokens, installations and link codes, and the devices' descriptions.
    case access(UserKey)
    /// How many scenes a user has.
    case sceneCounts(UserKey)
    /// A scene with its history.
    case scene(SceneKey)
    /// All scenes of a user that hold archives.
    case scenes(UserKey)
    /// Whether and when an archive of a scene was deleted.
    case tombstone(ArchiveID, SceneKey)
    /// An archive with its outcomes and servings.
    case details(ArchiveID, SceneKey)
    /// The deleted archives of a scene whose deletion can be undone.
    case deletions(SceneKey)
    /// The size of the texts of a device's items, in bytes.
    case itemBytes(DeviceID, UserKey)
    /// The operators' decisions about the items of a list.
    case links(ItemList)
    case usage(AppID)
    case owner(OwnerLookup)
}

/// How to find a user.
package enum OwnerLookup: Sendable, Hashable {
    case installation(InstallationID, AppID)
    case linkCode(Digest)
    case subject(Digest, AppID)
    case device(DeviceID)
}

extension Rule {
    /// How often a rule may ask for more data. The longest chain is a device that registers again with a link code and
    /// moves its archives.
    package static var rounds: Int { 12 }

    /// Runs the rule until all data it reads is loaded.
    package func run(
        in work: inout Workspace, loading load: (Need, inout Workspace) throws(StoreError) -> Void
    ) throws(StoreError) -> Answer {
        for _ in 0..<Self.rounds {
            do throws(Interruption) {
                return try decide(&work)
            } catch {
                guard case .needs(let needs) = error else { throw .userGone }
                // A rule that has already changed something can't run again.
                guard work.changes.isEmpty else { throw .endlessRule }
                for need in needs where !work.isLoaded(need) { try load(need, &work) }
            }
        }
        throw .endlessRule
    }
}

extension StoreError {
    /// The error of a rule that adds an archive without bytes.
    package static var withoutBytes: StoreError {
        StoreError(.corrupt, "A write added an archive without bytes.")
    }

    /// The error of a rule that never stops asking for data.
    package static var endlessRule: StoreError {
        StoreError(.unavailable, "A write asked for data again and again.")
    }
}
