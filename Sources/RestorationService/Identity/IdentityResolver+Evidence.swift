extension IdentityResolver {
    /// Aliases that came with two items are no evidence for any, for they are of one device.
    func sharedAliases(of evidence: some Sequence<Evidence>) -> Set<LookupKey> {
        var itemsByAlias: [String: String] = [:]
        var shared: Set<String> = []
        for one in evidence {
            guard let identifier = one.identifier else { continue }
            for alias in one.aliases
            where itemsByAlias.updateValue(identifier, forKey: alias) ?? identifier != identifier {
                shared.insert(alias)
            }
        }
        return Set(lookup.keys(of: Array(shared), for: list.owner))
    }

    /// Gathers what speaks for each item: what came with it, without what others share, and what its device registered.
    func subjects(
        of evidence: some Collection<Evidence>, without shared: Set<LookupKey>
    ) async throws(StoreError) -> [Subject] {
        var texts: [String] = []
        texts.reserveCapacity(evidence.count)
        for one in evidence {
            if let identifier = one.registrable { texts.append(identifier) }
            texts.append(contentsOf: one.aliases)
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
                subject.given = Array(keys[next..<next + one.aliases.count])
                subject.aliases = subject.given.filter { !shared.contains($0) }.distinct
                next += one.aliases.count
            }
            subjects.append(subject)
        }
        try await addRegistered(identifiers, to: &subjects)
        return subjects
    }

    /// Adds what the source device registered, and leaves out what is no evidence.
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
        for (index, succession) in successions { ends[index] = succession.end }
        let ambiguousAliases = try await ambiguousAliases(
            among: { subjects.flatMap(\.aliases) + ends.flatMap { $0?.aliases ?? [] } }, within: allowance.evidence)
        var next = 0
        for index in subjects.indices {
            subjects[index].keep(besides: ambiguousAliases)
            guard subjects[index].evidence.registrable != nil else { continue }
            defer { next += 1 }
            guard let own = items[next].take() else { continue }
            // An identifier that was registered or changed later may be another item's by now: then what came with the
            // reference counts, unless the two agree in what is evidence. One that is said to have taken its place need
            // not, nor does what is known of it alone that something did.
            guard
                subjects[index].evidence.aliases.isEmpty || own.changedAt <= writtenAt || own.isBareRedirect
                    || own.aliases.contains(where: subjects[index].aliases.contains)
            else {
                subjects[index].isReused = true
                continue
            }
            guard let item = ends[next].take() else { continue }
            subjects[index].item = item
            subjects[index].keys = [own.key]
            if let succession = successions[next] { subjects[index].keys += succession.keys }
            subjects[index].add(item.aliases, besides: ambiguousAliases)
        }
    }

    /// What took the place of an item, and of that in turn.
    struct Succession {
        /// By which each is found, in their order.
        var keys: [LookupKey] = []
        /// The last; nil where it is not known any more, or more redirects lead there than are followed.
        var end: StoredItem?
    }

    /// What took the place of items, by the index of those that were replaced.
    func successions(of items: [StoredItem?], in registry: Registry) async throws(StoreError) -> [Int: Succession] {
        var successions: [Int: Succession] = [:]
        var moved: [(index: Int, key: LookupKey)] = []
        for index in items.indices {
            if case .replaced(let key)? = items[index]?.presence { moved.append((index, key)) }
        }
        for _ in 0..<Limits.redirects where !moved.isEmpty {
            let targets = try await store.items(moved.map(\.key), in: registry)
            var further: [(index: Int, key: LookupKey)] = []
            for (place, target) in zip(moved, targets) {
                successions[place.index, default: Succession()].keys.append(place.key)
                successions[place.index]?.end = target
                if case .replaced(let key)? = target?.presence { further.append((place.index, key)) }
            }
            moved = further
        }
        // A chain whose end is replaced grows there, however long it was.
        for (index, _) in moved { successions[index]?.end = nil }
        return successions
    }

    /// Which aliases came with an item and say nothing on the asking device, by which it must not look for it itself: those
    /// that are set aside, and those that lead to another there.
    func refuted(_ subject: Subject, _ ofAnother: Set<LookupKey>) -> [String] {
        zip(subject.evidence.aliases, subject.given)
            .filter { !subject.aliases.contains($1) || ofAnother.contains($1) }.map(\.0)
    }

    /// Those of some aliases that two items of one device bear; nil where to find out takes more than may be asked.
    func ambiguousAliases(
        among aliases: () -> [LookupKey], within allowance: Allowance
    ) async throws(StoreError) -> Set<LookupKey>? {
        // Most users have none.
        let registries = registries.filter { $0.ambiguousAliasCount > 0 }
        guard !registries.isEmpty else { return [] }
        let asked = aliases().distinct
        var ambiguousAliases: Set<LookupKey> = []
        for registry in registries {
            for start in stride(from: 0, to: asked.count, by: Limits.aliasesAtOnce) {
                try checkIsAwaited()
                let portion = Array(asked[start..<min(start + Limits.aliasesAtOnce, asked.count)])
                guard allowance.take(portion.count) else { return nil }
                for (alias, isAmbiguous) in zip(portion, try await store.areAmbiguous(portion, in: registry))
                where isAmbiguous {
                    ambiguousAliases.insert(alias)
                }
            }
        }
        return ambiguousAliases
    }
}

extension IdentityResolver.Subject {
    /// Leaves out what two items of one device bear. Nor is what is not known to be evidence any.
    fileprivate mutating func keep(besides ambiguousAliases: Set<LookupKey>?) {
        guard let ambiguousAliases else { return aliases = [] }
        if !ambiguousAliases.isEmpty { aliases.removeAll(where: ambiguousAliases.contains) }
    }

    /// Adds those that are evidence, each once.
    fileprivate mutating func add(_ registered: [LookupKey], besides ambiguousAliases: Set<LookupKey>?) {
        guard let ambiguousAliases else { return }
        if aliases.isEmpty, shared.isEmpty, ambiguousAliases.isEmpty { return aliases = registered }
        let given = aliases
        aliases += registered.filter { !given.contains($0) && !shared.contains($0) && !ambiguousAliases.contains($0) }
    }
}

extension StoredItem {
    /// Whether nothing is known of it but what took its place.
    fileprivate var isBareRedirect: Bool {
        if case .replaced = presence { aliases.isEmpty } else { false }
    }
}
