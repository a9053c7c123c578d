package import PlacekeeperArchive
package import PlacekeeperCore

/// Follows the redirects of all devices in a list with the same identifiers on every device (docs/identity.md).
package struct SharedRedirects {
    private let environment: IdentityEnvironment
    private let list: ItemList
    private let budget: WorkBudget
    /// The registrations with removed items. Only these can have redirects.
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
        var item: StoredItem
        var target: LookupKey
        var time: Timestamp
        var registry: Registry
    }

    /// Returns the final replacement of each item, with the device that sent the last redirect of its chain.
    ///
    /// If several devices redirected one item, the latest redirect counts. If redirects form a cycle, the oldest of
    /// them doesn't count. An item whose chain has more than `Limits.redirects` redirects, or exceeds the work budget,
    /// has no replacement.
    package func replacements(of identifiers: [String]) async throws(StoreError) -> [ByteText: ItemName] {
        var replacements: [ByteText: ItemName] = [:]
        guard !registries.isEmpty else { return replacements }
        for batch in Set(identifiers.map(ByteText.init)).sorted().batches() {
            try IdentityResolver.checkIsAwaited()
            WorkMeter.pause?()
            let keys = environment.lookup.keys(of: batch.map { .identifier($0.text) }, for: list.owner)
            guard let paths = try await paths(from: keys) else { return replacements }
            let last = paths.map(\.last)
            for registry in registries {
                let indices = last.indices.filter { last[$0]?.registry.device == registry.device }
                guard !indices.isEmpty else { continue }
                let names = try await targets(of: indices.compactMap { last[$0] }, in: registry)
                for (index, name) in zip(indices, names) {
                    guard let name else { continue }
                    replacements[batch[batch.startIndex + index]] = ItemName(device: registry.device, identifier: name)
                }
            }
        }
        return replacements
    }

    /// Returns each item's chain of redirects to its final replacement. Nil if the work budget is used up.
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
                    // The redirects from `start` on form a cycle. The target breaks ties, so all items of the cycle get
                    // the same replacement.
                    let oldest = paths[index].indices[start...].min {
                        let (first, second) = (paths[index][$0], paths[index][$1])
                        return (first.time, first.target.rawValue) < (second.time, second.target.rawValue)
                    }
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

    /// Returns the latest redirect of each item, over all devices.
    private func latest(from keys: [LookupKey]) async throws(StoreError) -> [Redirect?] {
        var latest = [Redirect?](repeating: nil, count: keys.count)
        for registry in registries {
            for (index, item) in try await environment.items.items(keys, in: registry).enumerated() {
                guard let item, case .replaced(let target, let time) = item.presence else { continue }
                if let known = latest[index], known.time >= time { continue }
                latest[index] = Redirect(item: item, target: target, time: time, registry: registry)
            }
        }
        return latest
    }

    /// Returns the identifiers that the redirects lead to. Nil for an item that is gone by now, or that was redirected
    /// when the list had another scope, so its texts don't name the target.
    private func targets(of redirects: [Redirect], in registry: Registry) async throws(StoreError) -> [String?] {
        var targets: [String?] = []
        for (redirect, sealed) in zip(
            redirects, try await environment.items.texts(of: redirects.map(\.item), in: registry))
        {
            let texts = try sealed.map { (sealed) throws(StoreError) in
                try ItemTexts(reading: try environment.sealing.open(sealed, for: list.owner))
            }
            let target = texts?.aliases.first.flatMap { name in
                environment.lookup.key(ofIdentifier: name, for: list.owner) == redirect.target ? name : nil
            }
            targets.append(target)
        }
        return targets
    }
}
