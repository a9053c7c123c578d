import KeyedArchive

/// How one reference of an archive is resolved, and by what evidence.
package struct ReferenceExplanation: Sendable, Hashable {
    /// An operator's decision, with the other item that it is about.
    package struct Decision: Sendable, Hashable {
        package var other: ItemName
        package var note: String
        package init(other: ItemName, note: String) {
            self.other = other
            self.note = note
        }
    }

    /// An item of the class.
    package struct Member: Sendable, Hashable {
        package var item: ItemName
        /// The aliases that it shares with the reference, or with members before it.
        package var sharedAliases: [String]
        /// That it is one with a member before it.
        package var decision: Decision?
    }

    /// An item that is gone, and could have been the one.
    package struct Gone: Sendable, Hashable {
        package var item: ItemName
        /// The aliases that it shares with the reference.
        package var sharedAliases: [String]
        /// What its device says that took its place; nil where it was removed.
        package var replacement: String?
        package init(item: ItemName, sharedAliases: [String], replacement: String? = nil) {
            self.item = item
            self.sharedAliases = sharedAliases
            self.replacement = replacement
        }
    }

    /// Two members that cannot be one.
    package struct Contradiction: Sendable, Hashable {
        package var first: ItemName
        package var second: ItemName
        /// Why, in the words of the operator who decided that they are two; nil where they are of one device.
        package var note: String?
        package init(first: ItemName, second: ItemName, note: String? = nil) {
            self.first = first
            self.second = second
            self.note = note
        }
    }

    package var dataSource: String
    /// nil when the app has declared no such data source: then references to it stay as they are.
    package var scope: DataSource.Scope?
    package var role: String
    /// What the device calls it that made the archive.
    package var source: String?
    /// That came with the reference.
    package var aliases: [String]
    package var resolution: ItemResolution
    /// Whether an operator decided that what was found is the one.
    package var isDecided: Bool { resolution.isDecided }
    /// Whether the identifier names another item by now.
    package var isReused = false
    package var members: [Member] = []
    /// Of the device that made the archive under the reference's identifier, and of the one that asks by the reference's
    /// evidence.
    package var gone: [Gone] = []
    /// Aliases that are no evidence, since two items of one device bear them.
    package var ambiguousAliases: [String] = []
    /// Where there are any, members count only where they share evidence with the reference themselves.
    package var contradictions: [Contradiction] = []
    /// Whether there are more members than there may be, with the same effect.
    package var isOvergrown = false
}

extension ReferenceExplanation {
    /// Bytes of the texts that it tells.
    fileprivate var size: Int {
        func size(_ texts: [String]) -> Int { texts.reduce(0) { $0 + $1.utf8.count } }
        return size([dataSource, role, source ?? "", resolution.identifier ?? ""]) + size(aliases)
            + size(ambiguousAliases)
            + members.reduce(0) { sum, member in
                sum + size(member.sharedAliases + [member.item.identifier])
                    + size(member.decision.map { [$0.other.identifier, $0.note] } ?? [])
            }
            + gone.reduce(0) { $0 + size($1.sharedAliases + [$1.item.identifier, $1.replacement ?? ""]) }
            + contradictions.reduce(0) { $0 + size([$1.first.identifier, $1.second.identifier, $1.note ?? ""]) }
    }
}

extension ReferenceResolver {
    /// What an element is looked for by, and by whom.
    private struct Search {
        var resolver: IdentityResolver
        var subject: IdentityResolver.Subject
    }

    /// The first references of a table, each as it is resolved with all others: at most `limit`, and none after those that
    /// take more than `Limits.explained` bytes to tell.
    func explain(_ table: [ModelReference], limit: Int) async throws(StoreError) -> [ReferenceExplanation] {
        let resolutions = try await resolve(table).resolutions
        let searches = try await searches(in: table, upTo: limit)
        var explanations: [ReferenceExplanation] = []
        var room = Limits.explained
        for (reference, resolution) in zip(table, resolutions).prefix(limit) where room > 0 {
            var explanation = ReferenceExplanation(
                dataSource: reference.dataSource, scope: caller.app.dataSource(named: reference.dataSource)?.scope,
                role: reference.role.rawValue, source: reference.element.identifier,
                aliases: Evidence(reference.element).aliases,
                resolution: resolution ?? ItemResolution(reference.element.identifier, .exact))
            if let search = searches[explanations.count] {
                try await search.resolver.explain(search.subject, in: &explanation)
            }
            room -= explanation.size
            explanations.append(explanation)
        }
        return explanations
    }

    /// Of each of the first references that is to a registered item, by its index in the table.
    private func searches(in table: [ModelReference], upTo limit: Int) async throws(StoreError) -> [Int: Search] {
        var searches: [Int: Search] = [:]
        // What resolving took is not to be missed here.
        let allowance = SearchAllowance()
        let named = table.indices.filter { caller.app.dataSource(named: table[$0].dataSource) != nil }
        let indices = Dictionary(grouping: named) { table[$0].dataSource }
        for (name, indices) in indices.sorted(by: { $0.key < $1.key }) {
            let told = indices.filter { $0 < limit }
            guard !told.isEmpty, caller.app.dataSources[name]?.scope == .registered else { continue }
            let resolver = try await resolver(of: name, within: allowance)
            let shared = resolver.sharedAliases(of: indices.lazy.flatMap { Self.evidence(of: table[$0]) })
            let subjects = try await resolver.subjects(
                of: told.map { Evidence(table[$0].element) }, without: shared)
            for (index, subject) in zip(told, subjects) {
                searches[index] = Search(resolver: resolver, subject: subject)
            }
        }
        return searches
    }
}
