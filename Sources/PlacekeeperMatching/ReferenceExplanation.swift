package import PlacekeeperArchive
package import PlacekeeperCore

/// Explains how a reference of an archive is resolved, and by what evidence.
package struct ReferenceExplanation: Sendable, Hashable {
    /// An operator's decision, with the other of its two items.
    package struct Decision: Sendable, Hashable {
        package var other: ItemName
        package var note: String
        package init(other: ItemName, note: String) {
            self.other = other
            self.note = note
        }
    }

    /// A member of the identity class of the reference's item: evidence or decisions connect the two.
    package struct Member: Sendable, Hashable {
        package var item: ItemName
        /// The aliases shared with the reference or with earlier members.
        package var sharedAliases: [String]
        /// The decision that makes this item the same as the reference's item or an earlier member, if there is one.
        package var decision: Decision?
    }

    /// A removed item that could have been the reference's item.
    package struct Gone: Sendable, Hashable {
        package var item: ItemName
        /// The aliases shared with the reference.
        package var sharedAliases: [String]
        /// The identifier of the live item that replaced this one, if any.
        package var replacement: String?
        package init(item: ItemName, sharedAliases: [String], replacement: String? = nil) {
            self.item = item
            self.sharedAliases = sharedAliases
            self.replacement = replacement
        }
    }

    /// Two members that can't be the same item.
    package struct Contradiction: Sendable, Hashable {
        package var first: ItemName
        package var second: ItemName
        /// The note of the operator who declared the items different. Nil if they belong to one device.
        package var note: String?
        package init(first: ItemName, second: ItemName, note: String? = nil) {
            self.first = first
            self.second = second
            self.note = note
        }
    }

    package var dataSource: String
    /// The scope of the data source. Nil if the app hasn't declared it; the reference is then served unchanged.
    package var scope: DataSource.Scope?
    package var role: String
    /// The item's identifier on the source device, if the reference has one.
    package var source: String?
    /// The aliases that came with the reference.
    package var aliases: [String]
    package var resolution: ItemResolution
    /// Whether an operator decided that the item found is the reference's item.
    package var isDecided: Bool { resolution.isDecided }
    /// Whether `source` now names another item of the source device.
    package var isReused = false
    package var members: [Member] = []
    /// Removed items: the source device's item with the reference's identifier, and the requesting device's items that
    /// have the reference's aliases or that an operator decided are its item. In a list with the scope `shared`, the
    /// reference's item, with the device that sent the last redirect.
    package var gone: [Gone] = []
    /// The ambiguous aliases, which aren't evidence.
    package var ambiguousAliases: [String] = []
    /// Contradictions between members. If there are any, only members that directly share evidence with the reference
    /// are used.
    package var contradictions: [Contradiction] = []
    /// Whether the class exceeds a limit. If so, only members that directly share evidence with the reference are used.
    package var isTruncated = false
}

extension ReferenceExplanation {
    /// The size of the explanation's texts, in bytes.
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

    /// Resolves all references of a table together, then explains the first ones. Stops after `limit` references, or
    /// when the texts exceed `Limits.explained` bytes.
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

    /// Returns a search for each of the table's first `limit` references whose data source has the scope `registered`,
    /// by the reference's index in the table.
    private func searches(in table: [ModelReference], upTo limit: Int) async throws(StoreError) -> [Int: Search] {
        var searches: [Int: Search] = [:]
        // Explaining has a work budget of its own, separate from that of resolving.
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
