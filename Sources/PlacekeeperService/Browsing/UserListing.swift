package import PlacekeeperCore

/// The order of an operator's list of users.
package enum UserOrder: String, Sendable, CaseIterable {
    /// Those who were seen last come first.
    case seen
    /// Those who had the most bytes when they were last seen come first.
    case bytes
    case id
}

/// A position in a list of users.
package struct UserPosition: Sendable, Hashable {
    /// The value that decides the order: milliseconds since 1970 or bytes, and 0 in a list by id. The store writes both
    /// when it records that a device of the user was seen, so an upload doesn't move the user within an index.
    package var key: Int64
    package var user: UserID

    package init(key: Int64, user: UserID) {
        self.key = key
        self.user = user
    }
}

/// A user in a sorted list.
package struct ListedUser: Sendable, Hashable {
    package var overview: UserOverview
    package var position: UserPosition
    /// Whether the user meets the conditions.
    package var matches: Bool

    package init(overview: UserOverview, position: UserPosition, matches: Bool) {
        self.overview = overview
        self.position = position
        self.matches = matches
    }
}

/// Conditions that need more than the user's row. A missing condition holds for each user.
package struct UserConditions: Sendable, Hashable {
    /// A device of the user has this idiom.
    package var idiom: Idiom?
    /// The newest archive of one of the user's scenes has this bundle version.
    package var version: String?

    package init(idiom: Idiom? = nil, version: String? = nil) {
        self.idiom = idiom
        self.version = version
    }
}

/// Selects the users of a list. A missing condition holds for each user.
package struct UserFilter: Sendable {
    /// A restore failed or crashed in the last 24 hours, according to the restore log.
    package var failed = false
    package var isSignedIn: Bool?
    /// The user has nearly used up a quota (`App.Settings.Quotas.isNearlyUsed`).
    package var overQuota = false
    package var conditions = UserConditions()

    package init() {}

    /// Whether each user is selected.
    fileprivate var isEmpty: Bool {
        !failed && isSignedIn == nil && !overQuota && conditions == UserConditions()
    }

    fileprivate func selects(_ user: ListedUser, _ quotas: App.Settings.Quotas) -> Bool {
        let overview = user.overview
        let usage = Usage(bytes: overview.bytes, archives: overview.archiveCount)
        return user.matches && (isSignedIn.map { $0 == overview.isSignedIn } ?? true)
            && (!overQuota || quotas.isNearlyUsed(by: usage, isSignedIn: overview.isSignedIn))
    }
}

extension Browsing {
    /// The number of users that one call looks at if there are conditions.
    private static let looked = 4000
    private static let step = 1000

    /// Returns the selected users of an app, starting after a position.
    ///
    /// - Returns: at most `limit` users, and the position after which the next page starts. A page may have fewer users,
    ///   or none, although another one follows, because a call looks at a limited number of users.
    package func users(
        of app: App, by order: UserOrder, matching filter: UserFilter, after position: UserPosition?, limit: Int
    ) async throws(ServiceError) -> (users: [UserOverview], next: UserPosition?) {
        if filter.failed { return try await failedUsers(of: app, by: order, filter, after: position, limit) }
        var found: [ListedUser] = []
        var position = position
        // Without conditions, one user more than a page shows whether there is a next page.
        let step = filter.isEmpty ? limit + 1 : Self.step
        for _ in stride(from: 0, to: Self.looked, by: Self.step) {
            let users = try await service.ask { [position] store async throws(StoreError) in
                try await store.users(
                    of: app.id, by: order, after: position, limit: step, matching: filter.conditions)
            }
            for user in users where filter.selects(user, app.settings.quotas) {
                if found.count == limit { return (found.map(\.overview), found.last?.position) }
                found.append(user)
            }
            guard users.count == step else { return (found.map(\.overview), nil) }
            position = users.last?.position
            await Task.yield()
        }
        return (found.map(\.overview), position)
    }

    /// The restore log has a limited number of reports, so all users who failed are read and sorted for each page.
    private func failedUsers(
        of app: App, by order: UserOrder, _ filter: UserFilter, after position: UserPosition?, _ limit: Int
    ) async throws(ServiceError) -> (users: [UserOverview], next: UserPosition?) {
        let ids = try await service.health.failedUsers(of: app.id, since: clock.now() - .seconds(86_400))
        var rest: [ListedUser] = []
        for start in stride(from: 0, to: ids.count, by: Self.step) {
            let users = try await service.ask { store async throws(StoreError) in
                try await store.users(
                    Array(ids[start..<min(start + Self.step, ids.count)]), of: app.id, by: order,
                    matching: filter.conditions)
            }
            rest += users.filter { user in
                filter.selects(user, app.settings.quotas)
                    && (position.map { order.precedes($0, user.position) } ?? true)
            }
            await Task.yield()
        }
        rest.sort { order.precedes($0.position, $1.position) }
        return (rest.prefix(limit).map(\.overview), rest.count > limit ? rest[limit - 1].position : nil)
    }
}

extension UserOrder {
    package func precedes(_ one: UserPosition, _ other: UserPosition) -> Bool {
        self == .id ? one.user < other.user : (one.key, one.user) > (other.key, other.user)
    }
}
