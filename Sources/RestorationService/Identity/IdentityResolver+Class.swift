/// All items that evidence and decisions connect with one item.
struct IdentityClass {
    struct Member {
        var device: DeviceID
        var item: StoredItem
    }

    /// The live items, each found through the items before it. At most one more than `Limits.classMembers`.
    var members: [Member] = []
    /// Whether two items belong to one device, or an operator decided that two items are different.
    var isContradictory = false

    /// Whether another device than the requesting device has the item, an item that directly shares evidence with it,
    /// or an item that an operator decided to be the same.
    var isKnownElsewhere = false

    /// The number of aliases that the items have.
    var aliasCount = 0

    /// Whether the search ended early because the request reached its work budget.
    var isCutShort = false

    /// Whether the class exceeds a limit. Its evidence is then not trusted.
    var isOvergrown: Bool {
        isCutShort || members.count > Limits.classMembers || aliasCount > Limits.classAliases
    }
    /// Whether connections through third devices count.
    var isSound: Bool { !isContradictory && !isOvergrown }
}

extension IdentityResolver {
    /// The state of a search for one class.
    private struct Search {
        var found = IdentityClass()
        /// The aliases to look up next (`aliases`), and the aliases to look up after these (`further`).
        var aliases: [LookupKey]
        private var further: [LookupKey] = []
        /// The items whose decisions are looked up next.
        var names: [(device: DeviceID, keys: [LookupKey])]
        private var askedAliases: Set<LookupKey> { didSet { found.aliasCount = askedAliases.count } }
        private var numbers: Set<Int64> = []
        private var devices: Set<DeviceID> = []
        private let shared: Set<LookupKey>
        private let requestingDevice: DeviceID
        /// Whether the search continues after its result can no longer count.
        private let isExhaustive: Bool
        /// Whether the search is in its first round, which finds only items that directly share evidence with the
        /// subject.
        private var isFirst = true

        init(
            _ subject: IdentityResolver.Subject, on device: DeviceID, for requestingDevice: DeviceID, isExhaustive: Bool
        ) {
            self.requestingDevice = requestingDevice
            self.isExhaustive = isExhaustive
            shared = subject.shared
            aliases = subject.aliases
            askedAliases = Set(aliases)
            names = subject.keys.isEmpty ? [] : [(device, subject.keys)]
            found.aliasCount = askedAliases.count
            guard let item = subject.item, item.isLive else { return }
            found.members = [.init(device: device, item: item)]
            found.isKnownElsewhere = device != requestingDevice
            numbers = [item.number]
            devices = [device]
        }

        /// Adds an item, unless the search found it before.
        mutating func add(_ member: IdentityClass.Member) {
            if isFirst, member.device != requestingDevice { found.isKnownElsewhere = true }
            guard !isDone, numbers.insert(member.item.number).inserted else { return }
            found.members.append(member)
            if !devices.insert(member.device).inserted { found.isContradictory = true }
            for alias in member.item.aliases where !shared.contains(alias) && askedAliases.insert(alias).inserted {
                further.append(alias)
            }
        }

        /// Continues the search with the items that the last round found.
        mutating func goOn(from met: Int) {
            isFirst = false
            names = isDone ? [] : found.members[met...].map { ($0.device, [$0.item.key]) }
            aliases = isDone ? [] : further
            further = []
        }

        /// Whether the search can end because its result no longer counts.
        private var isDone: Bool { found.isOvergrown || (found.isContradictory && !isExhaustive) }
        /// Whether to look up an alias. The first round continues until another device is found: whether other
        /// devices know the subject must not depend on the order of the look-ups.
        var isAsking: Bool { !isDone || (isFirst && !found.isKnownElsewhere) }
    }

    /// Follows evidence from device to device for all subjects at once. The limits of a class bound the work.
    ///
    /// - Parameter exhaustively: whether to return all members even if they contradict each other. Otherwise a search
    ///   ends at the second item of one device, so that the number of devices bounds its work.
    func identityClasses(
        of subjects: [Subject], exhaustively: Bool
    ) async throws(StoreError) -> [IdentityClass] {
        var searches = subjects.map { Search($0, on: sourceDevice, for: requestingDevice, isExhaustive: exhaustively) }
        while searches.contains(where: { !$0.aliases.isEmpty || !$0.names.isEmpty }) {
            try checkIsAwaited()
            let met = searches.map(\.found.members.count)
            try await addItemsWithAliases(to: &searches)
            if !decisions.isEmpty {
                for index in searches.indices {
                    for name in searches[index].names {
                        for partner in try await linked(to: name.keys, on: name.device) { searches[index].add(partner) }
                    }
                }
            }
            for index in searches.indices { searches[index].goOn(from: met[index]) }
            try await removeAmbiguousAliases(of: &searches)
        }
        return zip(subjects, searches).map { subject, search in
            var found = search.found
            found.isContradictory = isContradictory(found.members, besides: subject)
            return found
        }
    }

    /// Removes ambiguous aliases, which are no evidence.
    private func removeAmbiguousAliases(of searches: inout [Search]) async throws(StoreError) {
        let ambiguousAliases = try await ambiguousAliases(
            among: { searches.flatMap(\.aliases) }, within: allowance.classes)
        for index in searches.indices where !searches[index].aliases.isEmpty {
            if let ambiguousAliases {
                searches[index].aliases.removeAll(where: ambiguousAliases.contains)
            } else {
                searches[index].found.isCutShort = true
            }
        }
    }

    /// Adds the items that have the aliases to look up next. There can be very many, so only a few are held at a
    /// time.
    private func addItemsWithAliases(to searches: inout [Search]) async throws(StoreError) {
        let questions = searches.indices.flatMap { index in searches[index].aliases.map { (search: index, alias: $0) } }
        for registry in registries {
            for start in stride(from: 0, to: questions.count, by: Limits.aliasesAtOnce) {
                let asked = questions[start..<min(start + Limits.aliasesAtOnce, questions.count)]
                    .filter { searches[$0.search].isAsking }
                guard !asked.isEmpty else { continue }
                guard allowance.classes.take(asked.count) else {
                    for question in asked { searches[question.search].found.isCutShort = true }
                    continue
                }
                for (question, items) in zip(
                    asked, try await store.items(withAliases: asked.map(\.alias), in: registry))
                {
                    for item in items where item.isLive {
                        searches[question.search].add(.init(device: registry.device, item: item))
                    }
                }
            }
        }
    }

    private func linked(
        to keys: [LookupKey], on device: DeviceID
    ) async throws(StoreError) -> [IdentityClass.Member] {
        var members: [IdentityClass.Member] = []
        for (link, end) in partners(of: keys, on: device) where link.kind == .same {
            guard let registry = registry(of: end.device) else { continue }
            guard let item = try await store.items([end.key], in: registry)[0], item.isLive else { continue }
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
