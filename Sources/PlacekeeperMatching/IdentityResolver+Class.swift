import PlacekeeperCore

/// All items that evidence and decisions connect with one item.
struct IdentityClass {
    struct Member {
        var device: DeviceID
        var item: StoredItem
        var id: ID { ID(device: device, key: item.key) }

        /// Identifies an item across devices.
        struct ID: Hashable {
            var device: DeviceID
            var key: LookupKey
        }
    }

    /// The live items, each found through those before it. At most `Limits.classMembers + 1`, because the search ends
    /// when the class is too large.
    var members: [Member] = []
    /// Whether two members belong to one device, or an operator declared two items of the class different.
    var isContradictory = false

    /// Whether a device other than the requesting one has the subject, an item that directly shares evidence with it,
    /// or an item that an operator declared the same.
    var isKnownElsewhere = false

    /// The number of distinct aliases of the subject and the members.
    var aliasCount = 0

    /// Whether the search ended early because the request's work budget ran low.
    var isCutShort = false

    /// Whether the class exceeds a limit. The evidence of such a class isn't trusted.
    var isTooLarge: Bool {
        isCutShort || members.count > Limits.classMembers || aliasCount > Limits.classAliases
    }
    /// Whether an item found through third devices may be used.
    var isReliable: Bool { !isContradictory && !isTooLarge }
}

extension IdentityResolver {
    /// The state of a search for one class.
    private struct Search {
        var found = IdentityClass()
        /// The aliases to look up in this round.
        var aliases: [LookupKey]
        /// The aliases to look up in the next round.
        private var nextAliases: [LookupKey] = []
        /// The items whose decisions are looked up in this round.
        var items: [(device: DeviceID, keys: [LookupKey])]
        private var knownAliases: Set<LookupKey> { didSet { found.aliasCount = knownAliases.count } }
        private var knownItems: Set<IdentityClass.Member.ID> = []
        private var devices: Set<DeviceID> = []
        private let shared: Set<LookupKey>
        private let requestingDevice: DeviceID
        /// Whether the search goes on after a contradiction.
        private let isExhaustive: Bool
        /// Whether this is the first round, which finds only items that directly share evidence with the subject.
        private var isFirst = true

        init(
            _ subject: IdentityResolver.Subject, on device: DeviceID, for requestingDevice: DeviceID, isExhaustive: Bool
        ) {
            self.requestingDevice = requestingDevice
            self.isExhaustive = isExhaustive
            shared = subject.shared
            aliases = subject.aliases
            knownAliases = Set(aliases)
            items = subject.keys.isEmpty ? [] : [(device, subject.keys)]
            found.aliasCount = knownAliases.count
            guard let item = subject.item, item.isLive else { return }
            let member = IdentityClass.Member(device: device, item: item)
            found.members = [member]
            found.isKnownElsewhere = device != requestingDevice
            knownItems = [member.id]
            devices = [device]
        }

        /// Adds an item unless the search already found it or has ended.
        mutating func add(_ member: IdentityClass.Member) {
            if isFirst, member.device != requestingDevice { found.isKnownElsewhere = true }
            guard !isDone, knownItems.insert(member.id).inserted else { return }
            found.members.append(member)
            if !devices.insert(member.device).inserted { found.isContradictory = true }
            for alias in member.item.aliases where !shared.contains(alias) && knownAliases.insert(alias).inserted {
                nextAliases.append(alias)
            }
        }

        /// Continues with the items that the last round found: the members from `index` on.
        mutating func startNextRound(from index: Int) {
            isFirst = false
            items = isDone ? [] : found.members[index...].map { ($0.device, [$0.item.key]) }
            aliases = isDone ? [] : nextAliases
            nextAliases = []
        }

        /// Whether the search can end because the class isn't reliable. An exhaustive search goes on after a
        /// contradiction.
        private var isDone: Bool { found.isTooLarge || (found.isContradictory && !isExhaustive) }
        /// Whether the search needs more lookups. The first round goes on until it finds an item on a device other than
        /// the requesting one, because `isKnownElsewhere` must not depend on the order of lookups.
        var needsLookup: Bool { !isDone || (isFirst && !found.isKnownElsewhere) }
    }

    /// Returns the class of each subject. Follows evidence from device to device, for all subjects together. The limits
    /// on a class bound the work.
    ///
    /// - Parameter exhaustively: whether to return all members even if they contradict each other. If false, a search
    ///   ends at the second item of one device, so the number of devices bounds its work.
    func identityClasses(
        of subjects: [Subject], exhaustively: Bool
    ) async throws(StoreError) -> [IdentityClass] {
        var searches = subjects.map { Search($0, on: sourceDevice, for: requestingDevice, isExhaustive: exhaustively) }
        while searches.contains(where: { !$0.aliases.isEmpty || !$0.items.isEmpty }) {
            try Self.checkIsAwaited()
            let memberCounts = searches.map(\.found.members.count)
            try await addItemsWithAliases(to: &searches)
            if !decisions.isEmpty {
                for index in searches.indices {
                    for item in searches[index].items {
                        for member in try await membersDecidedSame(as: item.keys, on: item.device) {
                            searches[index].add(member)
                        }
                    }
                }
            }
            for index in searches.indices { searches[index].startNextRound(from: memberCounts[index]) }
            try await removeAmbiguousAliases(of: &searches)
        }
        return zip(subjects, searches).map { subject, search in
            var found = search.found
            found.isContradictory = isContradictory(found.members, besides: subject)
            return found
        }
    }

    /// Removes ambiguous aliases from the searches, because they aren't evidence. If the work budget runs low, marks
    /// searches that still have aliases as cut short.
    private func removeAmbiguousAliases(of searches: inout [Search]) async throws(StoreError) {
        let ambiguousAliases = try await ambiguousAliases(
            among: { searches.flatMap(\.aliases) }, for: .search)
        for index in searches.indices where !searches[index].aliases.isEmpty {
            if let ambiguousAliases {
                searches[index].aliases.removeAll(where: ambiguousAliases.contains)
            } else {
                searches[index].found.isCutShort = true
            }
        }
    }

    /// Looks up this round's aliases, and adds the live items that have them to the searches. There can be very many
    /// items, so only one batch is in memory at a time.
    private func addItemsWithAliases(to searches: inout [Search]) async throws(StoreError) {
        let lookups = searches.indices.flatMap { index in searches[index].aliases.map { (search: index, alias: $0) } }
        for registry in registries {
            for batch in lookups.batches() {
                let needed = batch.filter { searches[$0.search].needsLookup }
                guard !needed.isEmpty else { continue }
                guard budget.take(needed.count, for: .search) else {
                    for lookup in needed { searches[lookup.search].found.isCutShort = true }
                    continue
                }
                for (lookup, items) in zip(
                    needed, try await store.items(withAliases: needed.map(\.alias), in: registry))
                {
                    for item in items where item.isLive {
                        searches[lookup.search].add(.init(device: registry.device, item: item))
                    }
                }
            }
        }
    }

    /// Returns the live items that an operator decided are the same as one of a device's items.
    private func membersDecidedSame(
        as keys: [LookupKey], on device: DeviceID
    ) async throws(StoreError) -> [IdentityClass.Member] {
        var members: [IdentityClass.Member] = []
        for (link, end) in decisions(about: keys, on: device) where link.kind == .same {
            guard let registry = registry(of: end.device) else { continue }
            let decided = try await store.items([end.key], in: registry)
            guard let item = try await successions(of: decided, in: registry)[0]?.end ?? decided[0], item.isLive else {
                continue
            }
            members.append(.init(device: end.device, item: item))
        }
        return members
    }

    private func isContradictory(_ members: [IdentityClass.Member], besides subject: Subject) -> Bool {
        if Set(members.map(\.device)).count < members.count { return true }
        guard !decisions.isEmpty else { return false }
        let ends = Set(
            subject.keys.map { Link.End(device: sourceDevice, key: $0, texts: []) }
                + members.map { Link.End(device: $0.device, key: $0.item.key, texts: []) })
        return ends.contains { end in
            decisions[end]?.contains { $0.link.kind == .different && ends.contains($0.end) } ?? false
        }
    }
}
