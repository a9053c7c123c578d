package import PlacekeeperArchive
package import PlacekeeperCore

/// Explains how one reference of an archive is resolved, and by which evidence.
package struct ReferenceExplanation: Sendable, Hashable {
    /// An operator's decision, with the other item of the decision.
    package struct Decision: Sendable, Hashable {
        package var other: ItemName
        package var note: String
        package init(other: ItemName, note: String) {
            self.other = other
            self.note = note
        }
    }

    /// A member of the identity class of the reference's item: an item that evidence or decisions connect with this
    /// item.
    package struct Member: Sendable, Hashable {
        package var item: ItemName
        /// The aliases that the item shares with the reference, or with members before it.
        package var sharedAliases: [String]
        /// The decision that the item is the same as the reference's item or as a member before it. Nil if there is no
        /// such decision.
        package var decision: Decision?
    }

    /// A removed item that could have been the reference's item.
    package struct Gone: Sendable, Hashable {
        package var item: ItemName
        /// The aliases that the item shares with the reference.
        package var sharedAliases: [String]
        /// The identifier of the live item that replaced this item. Nil if there is no such item.
        package var replacement: String?
        package init(item: ItemName, sharedAliases: [String], replacement: String? = nil) {
            self.item = item
            self.sharedAliases = sharedAliases
            self.replacement = replacement
        }
    }

    /// Two members that cannot be the same item.
    package struct Contradiction: Sendable, Hashable {
        package var first: ItemName
        package var second: ItemName
        /// The note of the operator who decided that the items are different. Nil if the items belong to one device.
        package var note: String?
        package init(first: ItemName, second: ItemName, note: String? = nil) {
            self.first = first
            self.second = second
            self.note = note
        }
    }

    package var dataSource: String
    /// The scope of the data source. Nil if the app has not declared the data source: then the reference stays
    /// unchanged.
    package var scope: DataSource.Scope?
    package var role: String
    /// The item's identifier on the source device. Nil if the reference has no identifier.
    package var source: String?
    /// The aliases that came with the reference.
    package var aliases: [String]
    package var resolution: ItemResolution
    /// Whether an operator decided that the found item is the reference's item.
    package var isDecided: Bool { resolution.isDecided }
    /// Whether the identifier `source` now names another item of the source device.
    package var isReused = false
    package var members: [Member] = []
    /// The removed items: the source device's item under the reference's identifier, and the requesting device's items
    /// that have the reference's aliases or that an operator decided to be the reference's item. In a list of the scope
    /// `shared`: the reference's item, with the device that sent the last redirect.
    package var gone: [Gone] = []
    /// The ambiguous aliases, which are no evidence.
    package var ambiguousAliases: [String] = []
    /// The contradictions between members. If there are contradictions, the service uses only members that directly
    /// share evidence with the reference.
    package var contradictions: [Contradiction] = []
    /// Whether the class of members exceeds a limit. If it does, the service uses only members that directly share
    /// evidence with the reference.
    package var isTruncated = false
}

extension ReferenceExplanation {
    /// The size in bytes of the texts in the explanation.
    fileprivate var size: Int {
        func size(_ texts: [String]) -> Int { texts.reduce(0) { $0 + $1.utf8.count } }
        let identifiers = [source, resolution.identifier, resolution.neighbor].compactMap(\.self)
        return size([dataSource, role]) + size(identifiers) + size(aliases) + size(ambiguousAliases)
            + members.reduce(0) { sum, member in
                sum + size(member.sharedAliases + [member.item.identifier])
                    + size(member.decision.map { [$0.other.identifier, $0.note] } ?? [])
            }
            + gone.reduce(0) { $0 + size($1.sharedAliases + [$1.item.identifier, $1.replacement ?? ""]) }
            + contradictions.reduce(0) { $0 + size([$1.first.identifier, $1.second.identifier, $1.note ?? ""]) }
    }
}

extension ReferenceResolver {
    /// The subject to find for a reference, and the resolver that finds it.
    private struct Search {
        var resolver: IdentityResolver
        var subject: IdentityResolver.Subject
    }

    /// Explains the first references of a table, after all references of the table are resolved together. Stops after
    /// `limit` references, or when the texts of the explanations exceed `Limits.explained` bytes.
    package func explain(_ table: [ModelReference], limit: Int) async throws(StoreError) -> [ReferenceExplanation] {
        let resolved = try await resolve(table)
        let searches = try await searches(in: table, upTo: limit)
        var explanations: [ReferenceExplanation] = []
        var room = Limits.explained
        for (index, reference) in table.prefix(limit).enumerated() where room > 0 {
            let resolution = resolved.resolutions[index]
            var explanation = ReferenceExplanation(
                dataSource: reference.dataSource, scope: principal.app.dataSource(named: reference.dataSource)?.scope,
                role: reference.role.rawValue, source: reference.element.identifier,
                aliases: Evidence(reference.element).aliases,
                resolution: resolution ?? ItemResolution(reference.element.identifier, .exact))
            if let device = resolved.redirectingDevices[index], let source = reference.element.identifier {
                explanation.gone = [
                    ReferenceExplanation.Gone(
                        item: ItemName(device: device, identifier: source), sharedAliases: [],
                        replacement: explanation.resolution.identifier)
                ]
            }
            if let search = searches[index] {
                try await search.resolver.explain(search.subject, in: &explanation)
            }
            room -= explanation.size
            explanations.append(explanation)
        }
        return explanations
    }

    /// Returns a search for each of the table's first `limit` references whose data source is `registered`. The
    /// dictionary's keys are the indices of the references in the table.
    private func searches(in table: [ModelReference], upTo limit: Int) async throws(StoreError) -> [Int: Search] {
        var searches: [Int: Search] = [:]
        // An explanation has its own work budget, separate from the budget for resolving.
        let budget = WorkBudget()
        let named = table.indices.filter { principal.app.dataSource(named: table[$0].dataSource) != nil }
        let indices = Dictionary(grouping: named) { table[$0].dataSource }
        for (name, indices) in indices.sorted(by: { $0.key < $1.key }) {
            let explained = indices.filter { $0 < limit }
            guard !explained.isEmpty, principal.app.dataSources[name]?.scope == .registered else { continue }
            let resolver = try await resolver(of: name, within: budget)
            let shared = resolver.sharedAliases(of: indices.lazy.flatMap { Self.evidence(of: table[$0]) })
            let subjects = try await resolver.subjects(
                of: explained.map { Evidence(table[$0].element) }, without: shared)
            for (index, subject) in zip(explained, subjects) {
                searches[index] = Search(resolver: resolver, subject: subject)
            }
        }
        return searches
    }
}
