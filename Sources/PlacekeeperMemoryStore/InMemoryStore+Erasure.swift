package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    package func erase(_ owner: UserKey) -> Committed<Bool> {
        let hasUser = users[owner] != nil
        remove(owner)
        return commit(hasUser, .access(of: owner, hasUser))
    }

    /// Removes anonymous users that no device can reach. Returns the invalidations.
    func removeUsersWithoutDevices(at time: Timestamp) -> Invalidations {
        let (withDevices, withCodes) = (Set(devices.values.map(\.owner)), Set(linkCodes.values.map(\.owner)))
        let unreachable = users.filter { owner, user in
            UserPruning.isUnreachable(
                isAnonymous: user.subject == nil, latestTime: user.latestTime, createdAt: user.createdAt,
                hasDevices: withDevices.contains(owner), hasLinkCodes: withCodes.contains(owner), at: time)
        }
        unreachable.keys.forEach(remove)
        return unreachable.keys.reduce(.none) { $0 + .access(of: $1) }
    }

    private func remove(_ owner: UserKey) {
        let erased = Set(devices.values.lazy.filter { $0.owner == owner }.map(\.id))
        if let user = users[owner] { count(-user.usage + Usage(devices: -erased.count, users: -1), of: owner) }
        devices = devices.filter { !erased.contains($0.key) }
        tokens = tokens.filter { !erased.contains($0.value.device) }
        installations = installations.filter { !erased.contains($0.value.device) }
        deviceStates = deviceStates.filter { !erased.contains($0.key) }
        linkCodes = linkCodes.filter { $0.value.owner != owner }
        lists = lists.filter { $0.key.owner != owner }
        decisions = decisions.filter { $0.key.owner != owner }
        restoreLog.removeAll { $0.entry.party?.owner == owner }
        users[owner] = nil
    }

    package func facts(of owner: UserKey) -> UserFacts? {
        users[owner].map { UserFacts(owner: owner, subjectDigest: $0.subject?.digest, createdAt: $0.createdAt) }
    }

    package func facts(after last: UserKey?, limit: Int) -> [UserFacts] {
        let owners = users.keys.filter { owner in
            last.map { ($0.app, $0.user) < (owner.app, owner.user) } ?? true
        }
        return owners.sorted { ($0.app, $0.user) < ($1.app, $1.user) }.prefix(limit).compactMap(facts)
    }
}
