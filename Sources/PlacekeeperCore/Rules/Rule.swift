/// A write for users, as a pure decision: it reads the states in a `Workspace`, changes them, and notes the changes of rows.
/// Every store carries out the same rules (`RuleStore.carryOut`). The rules themselves are methods of `Workspace`.
package struct Rule<Answer: Sendable>: Sendable {
    package typealias Body = @Sendable (inout Workspace) throws(Interruption) -> Answer

    /// The name of the method that makes the rule, such as `describe(_:)`.
    package let name: String
    /// The user whom the rule concerns first. Rules for one user run one after another.
    package var owner: UserKey
    /// The bytes of the archive that the rule may store. Nil if the rule stores no archive.
    package var bytes: [UInt8]?
    /// The number of further bytes that the rule holds in memory.
    package var weight = 0
    /// Whether the rule may move all archives of a user.
    package var mayMoveArchives = false
    /// Whether the store may carry out the rule again if it does not know whether it was stored: the rule recognizes its own
    /// earlier work.
    package var isRepeatable = false
    /// Whether an answer without a write promises the client that something is stored.
    package var acknowledges = true
    /// Returns the effects of an answer that says that an earlier attempt was carried out. Nil for other answers.
    package var invalidationsIfDone: @Sendable (Answer) -> Invalidations? = { _ in nil }
    package let decide: Body

    package init(for owner: UserKey, name: String = #function, _ decide: @escaping Body) {
        self.name = name
        self.owner = owner
        self.decide = decide
    }
}

/// A reason why a rule stopped. Nothing was changed.
package enum Interruption: Error {
    /// The rule reads data that is not loaded yet. The store loads it, and runs the rule again.
    case needs([Need])
    /// The user does not exist, for example because the user was erased while the write waited.
    case userGone
}

/// Data that a rule reads. A store loads data that does not exist as absent.
package enum Need: Sendable, Hashable {
    /// A user's row and devices.
    case user(UserKey)
    /// A user's tokens, installations and link codes, and the descriptions of the devices.
    case access(UserKey)
    /// The numbers of a user's scenes.
    case sceneCounts(UserKey)
    /// A scene with its history.
    case scene(SceneKey)
    /// All scenes of a user that hold archives.
    case scenes(UserKey)
    /// Whether an archive of a scene was deleted, and when.
    case tombstone(ArchiveID, SceneKey)
    /// An archive with its outcomes and servings.
    case details(ArchiveID, SceneKey)
    /// The archives of a scene whose deletion can be undone.
    case deletions(SceneKey)
    /// The bytes of the texts of a device's items.
    case itemBytes(DeviceID, UserKey)
    /// The operators' decisions about the items of a list.
    case links(ItemList)
    case usage(AppID)
    case owner(OwnerLookup)
}

/// A way to find a user.
package enum OwnerLookup: Sendable, Hashable {
    case installation(InstallationID, AppID)
    case linkCode(Digest)
    case subject(Digest, AppID)
    case device(DeviceID)
}

extension Rule {
    /// The maximum number of times that a rule asks for more data. The longest chain: a device registers again with a link
    /// code, and moves its archives.
    package static var rounds: Int { 12 }

    /// Runs the rule until it has all data that it reads.
    package func run(
        in work: inout Workspace, loading load: (Need, inout Workspace) throws(StoreError) -> Void
    ) throws(StoreError) -> Answer {
        for _ in 0..<Self.rounds {
            do throws(Interruption) {
                return try decide(&work)
            } catch {
                guard case .needs(let needs) = error else { throw .userGone }
                // A rule that changed a state already cannot run again.
                guard work.changes.isEmpty else { throw .endlessRule }
                for need in needs where !work.isLoaded(need) { try load(need, &work) }
            }
        }
        throw .endlessRule
    }
}

extension StoreError {
    /// The error of a rule that adds an archive and has no bytes.
    package static var withoutBytes: StoreError {
        StoreError(.corrupt, "A write added an archive without bytes.")
    }

    /// The error of a rule that asks for data without an end.
    package static var endlessRule: StoreError {
        StoreError(.unavailable, "A write asked for data again and again.")
    }
}
