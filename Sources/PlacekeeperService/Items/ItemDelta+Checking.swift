import PlacekeeperCore
import PlacekeeperMatching

extension ItemDelta {
    /// Checks the delta and prepares it for the store.
    ///
    /// - Parameter scope: the list's scope. In a shared list, the target of a redirect needs no registration.
    func checked(
        for owner: UserKey, at time: Timestamp, in environment: IdentityEnvironment,
        scope: DataSource.Scope = .registered
    ) throws(ServiceError) -> PreparedDelta {
        try validate()
        let delta = prepared(for: owner, at: time, in: environment, isShared: scope == .shared)
        try delta.refuseContradictions(in: self)
        return delta
    }

    private func validate() throws(ServiceError) {
        guard upserts.count + removals.count + redirects.count <= Limits.deltaItems else {
            throw ServiceError(.deltaTooLarge, "A delta can name at most \(Limits.deltaItems) items: send it in parts.")
        }
        var aliasCount = 0
        for (index, item) in upserts.enumerated() {
            try Validation.identifier(item.identifier, at: ["upserts", .index(index), "identifier"])
            guard item.aliases.count <= Limits.aliases else {
                throw ServiceError(
                    .tooManyAliases, "An item can have at most \(Limits.aliases) aliases.",
                    member: ["upserts", .index(index), "aliases"])
            }
            aliasCount += item.aliases.count
            guard aliasCount <= Limits.deltaAliases else {
                throw ServiceError(
                    .deltaTooLarge,
                    "The items of a delta can have at most \(Limits.deltaAliases) aliases in total: send it in parts.",
                    member: ["upserts", .index(index), "aliases"])
            }
            for (place, alias) in item.aliases.enumerated() {
                try Validation.alias(alias, at: ["upserts", .index(index), "aliases", .index(place)])
            }
        }
        for (index, removal) in removals.enumerated() {
            try Validation.identifier(removal, at: ["removals", .index(index)])
        }
        for (index, redirect) in redirects.enumerated() {
            try Validation.identifier(redirect.from, at: ["redirects", .index(index), "from"])
            try Validation.identifier(redirect.to, at: ["redirects", .index(index), "to"])
        }
    }
}

extension PreparedDelta {
    /// Throws if an item occurs more than once among the delta's upserts, removals and redirect sources (`from`).
    fileprivate func refuseContradictions(in delta: ItemDelta) throws(ServiceError) {
        var named = Set<LookupKey>(minimumCapacity: upserts.count + removals.count + redirects.count)
        func claim(_ key: LookupKey, _ member: @autoclosure () -> [ServiceError.MemberStep]) throws(ServiceError) {
            guard named.insert(key).inserted else {
                throw ServiceError(
                    .itemContradicted, "A delta can name an item only once: as added, removed or redirected.",
                    member: member())
            }
        }
        for (index, upsert) in upserts.enumerated() { try claim(upsert.key, ["upserts", .index(index), "identifier"]) }
        for (index, removal) in removals.enumerated() { try claim(removal, ["removals", .index(index)]) }
        for (index, redirect) in redirects.enumerated() {
            try claim(redirect.from, ["redirects", .index(index), "from"])
        }
    }
}
