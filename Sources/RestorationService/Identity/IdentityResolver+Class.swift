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

    /// More than a class may have: the evidence has gone wrong.
    var isOvergrown: Bool { members.count > Limits.classMembers }
    /// Whether what it says through third devices counts.
    var isSound: Bool { !isContradictory && !isOvergrown }
}

extension IdentityResolver {
    /// Follows evidence from device to device. The work is bounded by what a class may have.
    func identityClass(of subject: Subject) async throws(StoreError) -> IdentityClass {
        var found = IdentityClass()
        var numbers: Set<Int64> = []
        var asked = Set(subject.aliases)
        var aliases = subject.aliases
        var next = 0
        if let item = subject.item, item.isLive {
            found.members.append(.init(device: source, item: item))
            numbers.insert(item.number)
        }
        while !found.isOvergrown {
            var met: [IdentityClass.Member] = []
            if !aliases.isEmpty {
                for registry in registries {
                    let items = try await store.bearers(of: aliases, in: registry).joined()
                    met += items.lazy.filter(\.isLive).map { .init(device: registry.device, item: $0) }
                }
            }
            while next < found.members.count {
                met += try await linked(to: found.members[next])
                next += 1
            }
            aliases = []
            for member in met where numbers.insert(member.item.number).inserted {
                found.members.append(member)
                aliases += member.item.aliases.filter { asked.insert($0).inserted }
                if found.isOvergrown { break }
            }
            if next == found.members.count { break }
            aliases = try await valid(aliases)
        }
        found.isContradictory = isContradictory(found.members)
        return found
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

    private func isContradictory(_ members: [IdentityClass.Member]) -> Bool {
        if Set(members.map(\.device)).count < members.count { return true }
        return links.contains { link in
            link.kind == .different
                && [link.first, link.second].allSatisfy { end in
                    members.contains { $0.device == end.device && $0.item.key == end.key }
                }
        }
    }
}
