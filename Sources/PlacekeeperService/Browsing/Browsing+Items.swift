import PlacekeeperArchive
package import PlacekeeperCore
import PlacekeeperMatching

/// A device's item that a search found.
package struct FoundItem: Sendable, Hashable {
    package var list: ItemList
    package var device: DeviceID
    package var identifier: String
}

extension Browsing {
    /// The number of users whose items one call looks up.
    private static let looked = 4000
    private static let step = 500

    /// Finds the live items that have an identifier, over all users of an app. A user's key for an identifier depends on
    /// the user, so each user's registrations are looked at, from user to user.
    ///
    /// - Parameters:
    ///   - key: the key in place of an identifier, as redacted identifiers show it. It belongs to one user.
    ///   - user: the user after which the search continues.
    /// - Returns: the items, and the user after which the search must continue. There may be none, although the search is
    ///   not complete, because a call looks at a limited number of users.
    package func items(
        _ identifier: String, or key: LookupKey?, in app: AppID, after user: UserID?
    ) async throws(ServiceError) -> (items: [FoundItem], next: UserID?) {
        guard identifier.utf8.count <= Limits.identifier else { return ([], nil) }
        return try await service.offload(of: app) { () async throws(ServiceError) in
            var last = user
            for _ in stride(from: 0, to: Self.looked, by: Self.step) {
                let start = UserKey(app: app, user: last ?? UserID(high: 0, low: 0))
                let found = try await service.ask { store async throws(StoreError) in
                    let facts = try await store.facts(after: start, limit: Self.step)
                    let owners = facts.map(\.owner).prefix { $0.app == app }
                    let items = try await store.items(
                        owners.map { owner in
                            WorkMeter.pause?()
                            return (owner.user, key ?? service.lists.keys(of: [.identifier(identifier)], for: owner)[0])
                        }, of: app)
                    return (items: items, end: owners.last?.user, isLast: owners.count < Self.step)
                }
                guard let end = found.end else { return ([], nil) }
                if !found.items.isEmpty {
                    let items = try await service.ask { _ async throws(StoreError) in
                        var items: [FoundItem] = []
                        for item in found.items {
                            let owner = item.list.owner
                            let opened: FoundItem? = try service.damaged.leaveOut("an item of the user \(owner.user)") {
                                () throws(StoreError) in
                                let texts = try sealing.open(item.texts, for: owner)
                                return FoundItem(
                                    list: item.list, device: item.device,
                                    identifier: try ItemTexts.identifier(in: texts))
                            }
                            if let opened { items.append(opened) }
                        }
                        return items
                    }
                    return (items, found.isLast ? nil : end)
                }
                if found.isLast { return ([], nil) }
                last = end
                await Task.yield()
            }
            return ([], last)
        }
    }
}
