import PlacekeeperArchive
import PlacekeeperCore

extension IdentityResolver {
    /// Returns the aliases that several items of the source device have: those that its archive lists as shared, and
    /// those that came with two or more items. Such aliases aren't evidence.
    func sharedAliases(of evidence: some Sequence<Evidence>) -> Set<LookupKey> {
        var itemsByAlias: [String: ByteText] = [:]
        var shared: Set<String> = []
        for item in evidence {
            shared.formUnion(item.aliases.suffix(item.sharedCount))
            guard let identifier = item.identifier.map(ByteText.init) else { continue }
            for alias in item.aliases
            where itemsByAlias.updateValue(identifier, forKey: alias) ?? identifier != identifier {
                shared.insert(alias)
            }
        }
        return Set(lookup.keys(ofAliases: Array(shared), for: list.owner))
    }

    /// Collects the evidence of each item: the aliases that came with it, except shared ones, and its registration on
    /// the source device.
    func subjects(
        of evidence: some Collection<Evidence>, without shared: Set<LookupKey>
    ) async throws(StoreError) -> [Subject] {
        var texts: [LookupText] = []
        texts.reserveCapacity(evidence.count)
        for one in evidence {
            if let identifier = one.registrable { texts.append(.identifier(identifier)) }
            texts += one.aliases.lazy.map { .alias($0) }
        }
        let keys = lookup.keys(of: texts, for: list.owner)
        var identifiers: [LookupKey] = []
        var subjects: [Subject] = []
        identifiers.reserveCapacity(evidence.count)
        subjects.reserveCapacity(evidence.count)
        var next = 0
        for one in evidence {
            if one.registrable != nil {
                identifiers.append(keys[next])
                next += 1
            }
            var subject = Subject(evidence: one, shared: shared)
            if !one.aliases.isEmpty {
                subject.receivedAliases = Array(keys[next..<next + one.aliases.count])
                subject.aliases = subject.receivedAliases.filter { !shared.contains($0) }.distinct
                next += one.aliases.count
            }
            subjects.append(subject)
        }
        try await addRegistered(identifiers, to: &subjects)
        return subjects
    }

    /// Adds the items found on the source device to the subjects. Removes ambiguous aliases, because they aren't
    /// evidence.
    private func addRegistered(
        _ identifiers: [LookupKey], to subjects: inout [Subject]
    ) async throws(StoreError) {
        var items = [StoredItem?](repeating: nil, count: identifiers.count)
        var successions: [Int: Succession] = [:]
        if let registry = registry(of: sourceDevice) {
            items = try await store.items(identifiers, in: registry)
            successions = try await self.successions(of: items, in: registry)
        }
        var ends = items
        // An item whose replacement is gone counts as removed.
        for (index, succession) in successions {
            if let end = succession.end, end.isLive { ends[index] = end }
        }
        let ambiguousAliases = try await ambiguousAliases(
            among: { subjects.flatMap(\.aliases) + ends.flatMap { $0?.aliases ?? [] } }, for: evidencePurpose)
        var next = 0
        for index in subjects.indices {
            subjects[index].keep(besides: ambiguousAliases)
            guard subjects[index].evidence.registrable != nil else { continue }
            defer { next += 1 }
            guard let own = items[next].take() else { continue }
            guard !own.isAnotherItem(than: subjects[index], writtenAt: writtenAt) else {
                subjects[index].isReused = true
                continue
            }
            let succession = successions[next]
            if let succession, ends[next]?.isLive == true {
                let replaced = ([own] + succession.items).filter { $0.successor != nil }
                let aliases = replaced.reversed().flatMap(\.aliases).distinct
                subjects[index].formerAliases = Array(aliases.prefix(Limits.aliases))
            }
            subjects[index].keys = [own.key] + (succession?.items.map(\.key) ?? [])
            guard let item = ends[next].take() else { continue }
            subjects[index].item = item
            subjects[index].add(item.aliases, besides: ambiguousAliases)
        }
    }

    /// The items that replaced an item, one after another.
    struct Succession {
        /// The replacements, in order.
        var items: [StoredItem] = []
        /// The last replacement. Nil if the store has dropped it, if its identifier has since been given to another
        /// item, or if the chain has more than `Limits.redirects` redirects.
        var end: StoredItem?
    }

    /// Returns the succession of each replaced item, by its index in `items`.
    func successions(of items: [StoredItem?], in registry: Registry) async throws(StoreError) -> [Int: Succession] {
        var successions: [Int: Succession] = [:]
        var replaced: [(index: Int, key: LookupKey, time: Timestamp)] = []
        for index in items.indices {
            if case .replaced(let key, let time)? = items[index]?.presence { replaced.append((index, key, time)) }
        }
        for _ in 0..<Limits.redirects where !replaced.isEmpty {
            let replacements = try await store.items(replaced.map(\.key), in: registry)
            var next: [(index: Int, key: LookupKey, time: Timestamp)] = []
            for (item, replacement) in zip(replaced, replacements) {
                // Redirects to an item end when it is removed and its identifier then names another item.
                let replacement = replacement.flatMap { $0.isReuse(after: item.time) ? nil : $0 }
                successions[item.index, default: Succession()].end = replacement
                guard let replacement else { continue }
                successions[item.index]?.items.append(replacement)
                if case .replaced(let key, let time) = replacement.presence { next.append((item.index, key, time)) }
            }
            replaced = next
        }
        // A chain grows when its end is replaced, so it can exceed the limit. Its end isn't used then.
        for item in replaced { successions[item.index]?.end = nil }
        return successions
    }

    /// Returns the ambiguous ones of `aliases`. Nil if the work budget is too low to find out.
    func ambiguousAliases(
        among aliases: () -> [LookupKey], for purpose: WorkBudget.Purpose
    ) async throws(StoreError) -> Set<LookupKey>? {
        // Most users have no ambiguous aliases, so usually no lookup is needed.
        let registries = registries.filter { $0.ambiguousAliasCount > 0 }
        guard !registries.isEmpty else { return [] }
        let aliases = aliases().distinct
        var ambiguousAliases: Set<LookupKey> = []
        for registry in registries {
            for batch in aliases.batches() {
                try Self.checkIsAwaited()
                guard budget.take(batch.count, for: purpose) else { return nil }
                for (alias, isAmbiguous) in zip(batch, try await store.areAmbiguous(Array(batch), in: registry))
                where isAmbiguous {
                    ambiguousAliases.insert(alias)
                }
            }
        }
        return ambiguousAliases
    }
}

extension IdentityResolver.Subject {
    /// Removes ambiguous aliases, or all aliases if it isn't known which are ambiguous.
    fileprivate mutating func keep(besides ambiguousAliases: Set<LookupKey>?) {
        guard let ambiguousAliases else { return aliases = [] }
        if !ambiguousAliases.isEmpty { aliases.removeAll(where: ambiguousAliases.contains) }
    }

    /// Adds the registered aliases that are evidence, without duplicates. Adds none if it isn't known which are
    /// ambiguous.
    mutating func add(_ registered: [LookupKey], besides ambiguousAliases: Set<LookupKey>?) {
        guard let ambiguousAliases else { return }
        if aliases.isEmpty, shared.isEmpty, ambiguousAliases.isEmpty { return aliases = registered }
        let received = aliases
        aliases += registered.filter {
            !received.contains($0) && !shared.contains($0) && !ambiguousAliases.contains($0)
        }
    }
}

extension StoredItem {
    /// Returns whether the identifier named or may have named another item when the reference to a subject was written.
    /// A shared alias that is evidence proves that the identifier named this item.
    fileprivate func isAnotherItem(than subject: IdentityResolver.Subject, writtenAt: Timestamp) -> Bool {
        guard since > writtenAt, !shares(subject.aliases) else { return false }
        return isReuse || !onlyGetsOrLoses(subject.receivedAliases)
    }
}
