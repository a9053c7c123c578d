/// All items that evidence and decisions connect with one.
struct IdentityClass {
    struct Member {
        var device: DeviceID
        var item: StoredItem
    }

    /// Live ones, each met through those before it; at most one more than `Limits.classMembers`.
    var members: [Member] = []
    /// Whether two of its items belong to one device, or were decided to be two.
    var isContradictory = false

    /// How many aliases they bear.
    var aliasCount = 0

    /// Whether the search for it ended before it was whole, since the request had asked for too much.
    var isCutShort = false

    /// More than a class may have: the evidence has gone wrong.
    var isOvergrown: Bool {
        isCutShort || members.count > Limits.classMembers || aliasCount > Limits.classAliases
    }
    /// Whether what it says through third devices counts.
    var isSound: Bool { !isContradictory && !isOvergrown }
}

extension IdentityResolver {
    /// A class while it is searched for.
    private struct Search {
        var found = IdentityClass()
        /// The item that is searched for, whether or not it is live.
        let origin: IdentityClass.Member?
        var numbers: Set<Int64> = []
        private var askedAliases: Set<LookupKey> { didSet { found.aliasCount = askedAliases.count } }
        /// What is to be asked next, and what after that.
        var aliases: [LookupKey]
        private var further: [LookupKey] = []
        var unaskedMembers: Range<Int>
        /// Whether to go on where nothing that is found counts any more.
        let isExhaustive: Bool
        private var devices: Set<DeviceID> = []

        init(_ subject: Subject, on device: DeviceID, isExhaustive: Bool) {
            self.isExhaustive = isExhaustive
            aliases = subject.aliases
            askedAliases = Set(aliases)
            origin = subject.item.map { .init(device: device, item: $0) }
            found.aliasCount = askedAliases.count
            if let item = subject.item, item.isLive {
                found.members.append(.init(device: device, item: item))
                numbers.insert(item.number)
                devices.insert(device)
            }
            unaskedMembers = 0..<found.members.count
        }

        /// Takes in what was met, if it is new.
        mutating func add(_ member: IdentityClass.Member) {
            guard !isDone, numbers.insert(member.item.number).inserted else { return }
            found.members.append(member)
            if !devices.insert(member.device).inserted { found.isContradictory = true }
            for alias in member.item.aliases where askedAliases.insert(alias).inserted { further.append(alias) }
        }

        /// What is new of what was met leads further.
        mutating func goOn() {
            unaskedMembers = isDone ? 0..<0 : unaskedMembers.upperBound..<found.members.count
            aliases = isDone ? [] : further
            further = []
        }

        var isDone: Bool { found.isOvergrown || (found.isContradictory && !isExhaustive) }
    }

    /// Follows evidence from device to device, for all subjects at once. The work is bounded by what a class may have.
    ///
    /// - Parameter exhaustively: whether to tell all members even where they contradict each other. Otherwise a search ends
    ///   with the second item of one device, so that what can be spent on it is bounded by the number of devices.
    func identityClasses(
        of subjects: [Subject], exhaustively: Bool
    ) async throws(StoreError) -> [IdentityClass] {
        var searches = subjects.map { Search($0, on: source, isExhaustive: exhaustively) }
        while searches.contains(where: { !$0.aliases.isEmpty || !$0.unaskedMembers.isEmpty }) {
            try checkIsAwaited()
            try await addBearers(to: &searches)
            if !links.isEmpty {
                for index in searches.indices {
                    for member in searches[index].found.members[searches[index].unaskedMembers] {
                        for partner in try await linked(to: member) { searches[index].add(partner) }
                    }
                }
            }
            for index in searches.indices { searches[index].goOn() }
            try await leaveOutSetAside(of: &searches)
        }
        return searches.map { search in
            var found = search.found
            found.isContradictory = isContradictory(found.members, search.origin)
            return found
        }
    }

    /// What is no evidence leads nowhere.
    private func leaveOutSetAside(of searches: inout [Search]) async throws(StoreError) {
        let setAside = try await setAside(among: searches.flatMap(\.aliases), within: allowance.classes)
        for index in searches.indices where !searches[index].aliases.isEmpty {
            if let setAside {
                searches[index].aliases.removeAll(where: setAside.contains)
            } else {
                searches[index].found.isCutShort = true
            }
        }
    }

    /// Adds who bears the aliases that each search asks for next. They may be very many: few are held at a time.
    private func addBearers(to searches: inout [Search]) async throws(StoreError) {
        let questions = searches.indices.flatMap { index in searches[index].aliases.map { (search: index, alias: $0) } }
        for registry in registries {
            for start in stride(from: 0, to: questions.count, by: Limits.aliasesAtOnce) {
                let asked = questions[start..<min(start + Limits.aliasesAtOnce, questions.count)]
                    .filter { !searches[$0.search].isDone }
                guard !asked.isEmpty else { continue }
                guard allowance.classes.take(asked.count) else {
                    for question in asked { searches[question.search].found.isCutShort = true }
                    continue
                }
                for (question, items) in zip(asked, try await store.bearers(of: asked.map(\.alias), in: registry)) {
                    for item in items where item.isLive {
                        searches[question.search].add(.init(device: registry.device, item: item))
                    }
                }
            }
        }
    }

    private func linked(to member: IdentityClass.Member) async throws(StoreError) -> [IdentityClass.Member] {
        var members: [IdentityClass.Member] = []
        for (link, end) in partners(of: member.item, on: member.device) where link.kind == .same {
            guard let registry = registry(of: end.device) else { continue }
            guard let item = try await store.items([end.key], in: registry)[0], item.isLive else { continue }
            members.append(.init(device: end.device, item: item))
        }
        return members
    }

    private func isContradictory(_ members: [IdentityClass.Member], _ origin: IdentityClass.Member?) -> Bool {
        if Set(members.map(\.device)).count < members.count { return true }
        let all = members + (origin.map { [$0] } ?? [])
        return links.contains { link in
            link.kind == .different
                && [link.first, link.second].allSatisfy { end in
                    all.contains { $0.device == end.device && $0.item.key == end.key }
                }
        }
    }
}
