extension IdentityResolver {
    /// Aliases that came with two items are no evidence for any, for they are of one device.
    static func sharedAliases(of evidence: some Sequence<Evidence>) -> Set<String> {
        var bearers: [String: String] = [:]
        var shared: Set<String> = []
        for one in evidence {
            guard let identifier = one.identifier else { continue }
            for alias in one.aliases where bearers.updateValue(identifier, forKey: alias) ?? identifier != identifier {
                shared.insert(alias)
            }
        }
        return shared
    }

    /// Gathers what speaks for each item: what came with it, without what others share, and what its device registered.
    func subjects(
        of evidence: some Collection<Evidence>, without shared: Set<String>
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
            var subject = Subject(evidence: one)
            if !one.aliases.isEmpty {
                subject.given = Array(keys[next..<next + one.aliases.count])
                subject.aliases = subject.given.distinct
                if !shared.isEmpty {
                    subject.aliases = zip(subject.given, one.aliases).filter { !shared.contains($1) }.map(\.0).distinct
                }
                next += one.aliases.count
            }
            subjects.append(subject)
        }
        try await addRegistered(identifiers, to: &subjects)
        try await leaveOutSetAside(&subjects)
        return subjects
    }

    private func addRegistered(
        _ identifiers: [LookupKey], to subjects: inout [Subject]
    ) async throws(StoreError) {
        guard let registry = registry(of: source) else { return }
        var items = try await store.items(identifiers, in: registry)
        let successors = try await successors(of: items, in: registry)
        var next = 0
        for index in subjects.indices where subjects[index].evidence.registrable != nil {
            defer { next += 1 }
            guard let own = items[next].take() else { continue }
            let given = subjects[index].aliases
            // An identifier that was registered or changed later may be another item's by now: then what came with the
            // reference counts, unless the two agree. One that is said to have taken its place need not, nor does what is
            // known of it alone that something did.
            guard
                given.isEmpty || own.changedAt <= capturedAt || own.isBareRedirect
                    || own.aliases.contains(where: given.contains)
            else {
                subjects[index].isReused = true
                continue
            }
            var item = own
            if let successor = successors[next] {
                guard let successor else { continue }
                item = successor
            }
            subjects[index].item = item
            if given.isEmpty {
                subjects[index].aliases = item.aliases
            } else {
                subjects[index].aliases += item.aliases.filter { !given.contains($0) }
            }
        }
    }

    /// The items that took the place of others, by the index of those; nil for one that is not known any more, or that more
    /// redirects lead to than are followed.
    func successors(
        of items: [StoredItem?], in registry: Registry
    ) async throws(StoreError) -> [Int: StoredItem?] {
        var successors: [Int: StoredItem?] = [:]
        var moved: [(index: Int, key: LookupKey)] = []
        for index in items.indices {
            if case .replaced(let key)? = items[index]?.presence { moved.append((index, key)) }
        }
        for _ in 0..<Limits.redirects where !moved.isEmpty {
            let targets = try await store.items(moved.map(\.key), in: registry)
            var further: [(index: Int, key: LookupKey)] = []
            for (place, target) in zip(moved, targets) {
                successors.updateValue(target, forKey: place.index)
                if case .replaced(let key)? = target?.presence { further.append((place.index, key)) }
            }
            moved = further
        }
        // A chain whose end is replaced grows there, however long it was.
        for (index, _) in moved { successors.updateValue(nil, forKey: index) }
        return successors
    }

    /// An alias that two items of one device bear is no evidence for any.
    private func leaveOutSetAside(_ subjects: inout [Subject]) async throws(StoreError) {
        let setAside = try await setAside(among: subjects.flatMap(\.aliases), within: allowance.evidence)
        for index in subjects.indices where !subjects[index].aliases.isEmpty {
            if let setAside {
                subjects[index].aliases.removeAll(where: setAside.contains)
            } else {
                // Nor is what is not known to be any.
                subjects[index].aliases = []
            }
        }
    }

    /// Which aliases came with an item and say nothing on the asking device, by which it must not look for it itself: those
    /// that are set aside, and those that lead to another there.
    func refuted(_ subject: Subject, _ ofAnother: Set<LookupKey>) -> [String] {
        guard source != asker else { return [] }
        return zip(subject.evidence.aliases, subject.given)
            .filter { !subject.aliases.contains($1) || ofAnother.contains($1) }.map(\.0)
    }

    /// Those of some aliases that two items of one device bear; nil where to find out takes more than may be asked.
    func setAside(
        among aliases: [LookupKey], within allowance: Allowance
    ) async throws(StoreError) -> Set<LookupKey>? {
        let registries = registries.filter { $0.setAsideCount > 0 }
        guard !registries.isEmpty, !aliases.isEmpty else { return [] }
        let asked = aliases.distinct
        var setAside: Set<LookupKey> = []
        for registry in registries {
            for start in stride(from: 0, to: asked.count, by: Limits.aliasesAtOnce) {
                try checkIsAwaited()
                let portion = Array(asked[start..<min(start + Limits.aliasesAtOnce, asked.count)])
                guard allowance.take(portion.count) else { return nil }
                for (alias, isSetAside) in zip(portion, try await store.setAside(portion, in: registry))
                where isSetAside {
                    setAside.insert(alias)
                }
            }
        }
        return setAside
    }
}

extension StoredItem {
    /// Whether nothing is known of it but what took its place.
    fileprivate var isBareRedirect: Bool {
        if case .replaced = presence { aliases.isEmpty } else { false }
    }
}
