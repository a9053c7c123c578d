import PlacekeeperCore

/// The erased users and subjects from an erasure log.
struct ErasedAccounts {
    /// The time of the last erasure of each digest.
    private var times: [Digest: Timestamp] = [:]

    init(_ entries: [ErasureEntry]) {
        times.reserveCapacity(entries.count)
        for entry in entries { times[entry.digest] = max(times[entry.digest] ?? entry.time, entry.time) }
    }

    var isEmpty: Bool { times.isEmpty }

    /// Returns when all users of an app were erased, because the app was deleted. Nil if they weren't.
    func time(of app: AppID, hashing: any AccountHashing) -> Timestamp? {
        times[hashing.digest(of: .everyone(of: app))]
    }

    /// Returns whether the user was erased. An entry applies only to a user created before the erasure, because a new
    /// user with the same subject may sign in later, and an operator may import an erased user from an export.
    func contains(_ user: UserFacts, hashing: any AccountHashing) -> Bool {
        ([hashing.digest(of: user.owner)] + (user.subjectDigest.map { [$0] } ?? []))
            .contains { digest in times[digest].map { user.createdAt < $0 } ?? false }
    }
}
