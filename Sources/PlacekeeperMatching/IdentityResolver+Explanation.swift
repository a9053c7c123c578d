package import PlacekeeperCore

extension IdentityResolver {
    /// Explains an item of the source device. Nil if the device never registered it and no decision names it.
    package func explanation(
        of identifier: String, uniqueAliases: [String]
    ) async throws(StoreError) -> ReferenceExplanation? {
        guard let subject = try await subjects(of: [Evidence(identifier)], without: []).first else { return nil }
        let resolution = try await AlignmentSearch.resolve(
            [identifier], with: self, uniqueAliases: uniqueAliases)[0]
        var reference = ReferenceExplanation(
            dataSource: list.dataSource, scope: .registered, role: "", source: identifier, aliases: [],
            resolution: resolution)
        try await explain(subject, in: &reference)
        return reference.members.isEmpty && reference.gone.isEmpty ? nil : reference
    }

    /// Adds the class of an item to an explanation, with the evidence for it.
    func explain(_ subject: Subject, in explanation: inout ReferenceExplanation) async throws(StoreError) {
        explanation.isReused = subject.isReused
        explanation.ambiguousAliases = try await ambiguousAliases(of: subject)
        explanation.gone = try await removedItems(of: subject)
        let found = try await identityClasses(of: [subject], exhaustively: true)[0]
        explanation.isTruncated = found.isTooLarge
        let before = try await named(subject)
        var members: [Named] = []
        // The aliases of the subject and of earlier members. Those that a member shares with this set are the evidence
        // for the member.
        var known = Set(subject.aliases)
        for (member, sealed) in zip(found.members, try await sealedTexts(of: found.members)) {
            guard let texts = try sealed.map(texts) else { continue }
            let name = ItemName(device: member.device, identifier: texts.identifier)
            explanation.members.append(
                .init(
                    item: name, sharedAliases: aliases(of: texts, among: known),
                    decision: decision(on: member, among: before + members)))
            known.formUnion(lookup.keys(ofAliases: texts.aliases, for: list.owner))
            members.append(Named(key: member.item.key, item: name))
        }
        explanation.contradictions = contradictions(among: members, with: before)
    }

    /// Returns the members' sealed texts, with one query per device.
    private func sealedTexts(of members: [IdentityClass.Member]) async throws(StoreError) -> [[UInt8]?] {
        var texts = [[UInt8]?](repeating: nil, count: members.count)
        for registry in registries {
            let indices = members.indices.filter { members[$0].device == registry.device }
            guard !indices.isEmpty else { continue }
            for (index, sealed) in zip(
                indices, try await store.texts(of: indices.map { members[$0].item }, in: registry))
            {
                texts[index] = sealed
            }
        }
        return texts
    }

    private struct Named {
        var key: LookupKey
        var item: ItemName
    }

    /// Returns the identifiers that the subject has had on the source device.
    private func named(_ subject: Subject) async throws(StoreError) -> [Named] {
        guard !subject.keys.isEmpty, let registry = registry(of: sourceDevice) else { return [] }
        let items = try await store.items(subject.keys, in: registry).compactMap(\.self)
        return zip(items, try await identifiers(of: items, in: registry)).compactMap { item, identifier in
            identifier.map { Named(key: item.key, item: ItemName(device: sourceDevice, identifier: $0)) }
        }
    }

    /// Returns the subject's aliases that aren't used to find it.
    private func ambiguousAliases(of subject: Subject) async throws(StoreError) -> [String] {
        var aliases = subject.evidence.aliases
        if let item = subject.item, let registry = registry(of: sourceDevice),
            let sealed = try await store.texts(of: [item], in: registry)[0]
        {
            aliases += try texts(sealed).aliases
        }
        var known = Set(subject.aliases)
        let keys = lookup.keys(ofAliases: aliases, for: list.owner)
        return zip(aliases, keys).filter { known.insert($1).inserted }.map(\.0)
    }

    /// Returns removed items that could have identified the subject: the source device's item, and items of the
    /// requesting device that have the subject's aliases or that an operator decided are the subject.
    private func removedItems(of subject: Subject) async throws(StoreError) -> [ReferenceExplanation.Gone] {
        var removed: [ReferenceExplanation.Gone] = []
        if let registry = registry(of: sourceDevice), let identifier = subject.evidence.registrable, !subject.isReused {
            let key = lookup.key(ofIdentifier: identifier, for: list.owner)
            removed += try await describeRemoved(store.items([key], in: registry), of: registry, subject)
        }
        guard sourceDevice != requestingDevice, let registry = registry(of: requestingDevice) else { return removed }
        let decided = decisions(about: subject.keys, on: sourceDevice).filter {
            $0.link.kind == .same && $0.end.device == requestingDevice
        }
        var items = try await store.items(withAliases: subject.aliases, in: registry).flatMap(\.self)
        items += try await store.items(decided.map(\.end.key), in: registry).compactMap(\.self)
        return removed + (try await describeRemoved(items, of: registry, subject))
    }

    /// Returns explanations of the given items that aren't live, without duplicates.
    private func describeRemoved(
        _ items: [StoredItem?], of registry: Registry, _ subject: Subject
    ) async throws(StoreError) -> [ReferenceExplanation.Gone] {
        var keys: Set<LookupKey> = []
        let items = items.compactMap(\.self).filter {
            !$0.isLive && !$0.isOfLostAliases && keys.insert($0.key).inserted
        }
        let successions = try await successions(of: items, in: registry)
        var removed: [ReferenceExplanation.Gone] = []
        for (index, sealed) in try await store.texts(of: items, in: registry).enumerated() {
            guard let texts = try sealed.map(texts) else { continue }
            var replacement: String?
            if let end = successions[index]?.end, end.isLive {
                replacement = try await identifiers(of: [end], in: registry)[0]
            }
            removed.append(
                .init(
                    item: ItemName(device: registry.device, identifier: texts.identifier),
                    sharedAliases: aliases(of: texts, among: Set(subject.aliases)), replacement: replacement))
        }
        return removed
    }

    /// Returns the operator's decision that connects a member with an item found before it.
    private func decision(on member: IdentityClass.Member, among others: [Named]) -> ReferenceExplanation.Decision? {
        for (link, end) in decisions(about: [member.item.key], on: member.device) where link.kind == .same {
            if let other = others.first(where: { $0.item.device == end.device && $0.key == end.key }) {
                return .init(other: other.item, note: link.note)
            }
        }
        return nil
    }

    /// Returns the pairs of items that can't be the same: successive members on one device, and pairs that an operator
    /// declared different. In a pair of the second kind, one item may be the subject itself, under one of its
    /// identifiers on the source device.
    private func contradictions(among members: [Named], with names: [Named]) -> [ReferenceExplanation.Contradiction] {
        var contradictions: [ReferenceExplanation.Contradiction] = []
        for (index, member) in members.enumerated() {
            let before = members[..<index]
            if let other = before.last(where: { $0.item.device == member.item.device }) {
                contradictions.append(.init(first: other.item, second: member.item))
            }
            for (link, end) in decisions(about: [member.key], on: member.item.device) where link.kind == .different {
                let other = (names + before).first { $0.item.device == end.device && $0.key == end.key }
                if let other { contradictions.append(.init(first: other.item, second: member.item, note: link.note)) }
            }
        }
        return contradictions
    }

    private func texts(_ sealed: [UInt8]) throws(StoreError) -> ItemTexts {
        try ItemTexts(reading: try sealing.open(sealed, for: list.owner))
    }

    private func aliases(of texts: ItemTexts, among known: Set<LookupKey>) -> [String] {
        let keys = lookup.keys(ofAliases: texts.aliases, for: list.owner)
        return zip(texts.aliases, keys).filter { known.contains($1) }.map(\.0)
    }
}
