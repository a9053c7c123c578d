import PlacekeeperArchive
package import PlacekeeperCore

/// Follows the redirects of all devices in a list whose identifiers are the same on every device (docs/identity.md).
package struct SharedRedirects {
    private let environment: IdentityEnvironment
    private let list: ItemList
    private let budget: WorkBudget
    /// The registrations with a removed item. Only these can have redirects.
    private let registries: [Registry]

    package init(
        _ environment: IdentityEnvironment, _ list: ItemList, within budget: WorkBudget = WorkBudget()
    ) async throws(StoreError) {
        self.environment = environment
        self.list = list
        self.budget = budget
        registries = try await environment.items.registries(of: list).filter { $0.removedCount > 0 }
    }

    /// A redirect from an item to `target`.
    private struct Redirect {
        var target: LookupKey
        var time: Timestamp
        var registry: Registry
    }

    /// Returns the item that replaced each of the given items in the end, with the device that sent the last redirect. Of
    /// the redirects that several devices sent for one item, the latest counts. If redirects lead back to an item, the
    /// oldest of them does not count. An item at the beginning of more than `Limits.redirects` redirects has no replacement.
    package func replacements(of identifiers: [String]) async throws(StoreError) -> [String: ItemName] {
        var replacements: [String: ItemName] = [:]
        guard !registries.isEmpty else { return replacements }
        for batch in Array(Set(identifiers)).sorted().batches() {
            try IdentityResolver.checkIsAwaited()
            WorkMeter.pause?()
            let keys = environment.lookup.keys(of: Array(batch), for: list.owner)
            guard let paths = try await paths(from: keys) else { return replacements }
            let last = paths.map(\.last)
            for registry in registries {
                let indices = last.indices.filter { last[$0]?.registry.device == registry.device }
                let names = try await names(of: indices.compactMap { last[$0]?.target }, in: registry)
                for (index, name) in zip(indices, names) {
                    guard let name else { continue }
                    replacements[batch[batch.startIndex + index]] = ItemName(device: registry.device, identifier: name)
                }
            }
        }
        return replacements
    }

    /// Returns the redirects from each item to the item that replaced it in the end. Nil if the work budget is used up.
    private func paths(from keys: [LookupKey]) async throws(StoreError) -> [[Redirect]]? {
        var paths = [[Redirect]](repeating: [], count: keys.count)
        var open = Array(keys.indices)
        for _ in 0...Limits.redirects where !open.isEmpty {
            guard budget.take(open.count * registries.count, for: .search) else { return nil }
            let next = try await latest(from: open.map { paths[$0].last?.target ?? keys[$0] })
            var moved: [Int] = []
            for (index, redirect) in zip(open, next) {
                guard let redirect else { continue }
                paths[index].append(redirect)
                let start = ([keys[index]] + paths[index].dropLast().map(\.target)).firstIndex(of: redirect.target)
                if let start {
                    // The redirects from `start` on lead back to their beginning.
                    let oldest = paths[index].indices[start...].min { paths[index][$0].time < paths[index][$1].time }
                    paths[index].removeSubrange((oldest ?? start)...)
                } else {
                    moved.append(index)
                }
            }
            open = moved
        }
        for index in open { paths[index] = [] }
        return paths
    }

    /// Returns the latest redirect that a device sent for each item.
    private func latest(from keys: [LookupKey]) async throws(StoreError) -> [Redirect?] {
        var latest = [Redirect?](repeating: nil, count: keys.count)
        for registry in registries {
            for (index, item) in try await environment.items.items(keys, in: registry).enumerated() {
                guard case .replaced(let target, let time)? = item?.presence else { continue }
                if let known = latest[index], known.time >= time { continue }
                latest[index] = Redirect(target: target, time: time, registry: registry)
            }
        }
        return latest
    }

    /// Returns the identifiers of items. Nil for an item that the device removed.
    private func names(of keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [String?] {
        let items = try await environment.items.items(keys, in: registry)
        let known = items.indices.filter { items[$0].map { $0.presence != .removed } ?? false }
        var names = [String?](repeating: nil, count: keys.count)
        let texts = try await environment.items.texts(of: known.compactMap { items[$0] }, in: registry)
        for (index, texts) in zip(known, texts) {
            guard let texts else { continue }
            names[index] = try ItemTexts.identifier(in: try environment.sealing.open(texts, for: list.owner))
        }
        return names
    }
}
