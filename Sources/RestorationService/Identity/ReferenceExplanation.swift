import KeyedArchive

/// How one reference of an archive is resolved, and by what evidence.
package struct ReferenceExplanation: Sendable, Hashable {
    /// An item of the class.
    package struct Member: Sendable, Hashable {
        package var device: DeviceID
        package var identifier: String
        /// The aliases that it shares with the reference, or with members before it.
        package var sharedAliases: [String]
        /// What an operator noted who decided that it is one with another member.
        package var decision: String?
    }

    package var dataSource: String
    /// nil when the app has declared no such data source: then references to it stay as they are.
    package var scope: DataSource.Scope?
    package var role: String
    /// What the device calls it that made the archive.
    package var source: String?
    /// That came with the reference.
    package var aliases: [String]
    package var identifier: String?
    package var step: ItemResolution.Step
    package var confidence: Double
    package var isAmbiguous: Bool
    /// Whether the identifier names another item by now.
    package var isReused = false
    package var members: [Member] = []
    /// Aliases that are no evidence, since two items of one device bear them.
    package var setAside: [String] = []
    /// Why members count only where they share evidence with the reference themselves.
    package var isContradictory = false
    package var isOvergrown = false
}

extension ReferenceResolver {
    /// What an element is looked for by, and by whom.
    private struct Search {
        var resolver: IdentityResolver
        var subject: IdentityResolver.Subject
    }

    /// The first references of a table, each as it is resolved with all others.
    func explain(_ table: [ModelReference], limit: Int) async throws(StoreError) -> [ReferenceExplanation] {
        let resolved = try await resolve(table)
        let searches = try await searches(in: table)
        var explanations: [ReferenceExplanation] = []
        for index in table.indices.prefix(limit) {
            let reference = table[index]
            let resolution = resolved[index].resolution ?? ItemResolution(reference.element.identifier, .exact)
            var explanation = ReferenceExplanation(
                dataSource: reference.dataSource, scope: caller.app.dataSources[reference.dataSource]?.scope,
                role: reference.role.rawValue, source: reference.element.identifier,
                aliases: reference.element.aliases, identifier: resolution.identifier, step: resolution.step,
                confidence: resolution.confidence, isAmbiguous: resolution.isAmbiguous)
            if let search = searches[index] {
                try await search.resolver.explain(reference.element, search.subject, in: &explanation)
            }
            explanations.append(explanation)
        }
        return explanations
    }

    /// Of each reference to a registered item, by its index in the table.
    private func searches(in table: [ModelReference]) async throws(StoreError) -> [Int: Search] {
        var searches: [Int: Search] = [:]
        for (name, indices) in Dictionary(grouping: table.indices, by: { table[$0].dataSource }) {
            guard caller.app.dataSources[name]?.scope == .registered else { continue }
            let resolver = try await resolver(of: name)
            let subjects = try await resolver.subjects(of: indices.flatMap { Self.evidence(of: table[$0]) })
            var next = 0
            for index in indices {
                searches[index] = Search(resolver: resolver, subject: subjects[next])
                next += Self.evidence(of: table[index]).count
            }
        }
        return searches
    }
}

extension IdentityResolver {
    /// Adds the class of an element and what it rests on.
    fileprivate func explain(
        _ element: ModelReference.Element, _ subject: Subject, in explanation: inout ReferenceExplanation
    ) async throws(StoreError) {
        explanation.isReused = subject.isReused
        explanation.setAside = try await setAside(of: element, subject)
        let found = try await identityClasses(of: [subject], exhaustively: true)[0]
        explanation.isContradictory = found.isContradictory
        explanation.isOvergrown = found.isOvergrown
        // Whatever was said before of the item, by key: what a member adds to it is why it is here.
        var known = Set(subject.aliases)
        let sealed = try await store.texts(of: found.members.map(\.item))
        for (member, sealed) in zip(found.members, sealed) {
            guard let sealed else { continue }
            let texts = try ItemTexts(reading: try sealing.open(sealed, for: list.owner))
            let keys = lookup.keys(of: texts.aliases, for: list.owner)
            let decision = partners(of: member.item, on: member.device).first { $0.link.kind == .same }
            explanation.members.append(
                .init(
                    device: member.device, identifier: texts.identifier,
                    sharedAliases: zip(texts.aliases, keys).filter { known.contains($1) }.map(\.0),
                    decision: decision?.link.note))
            known.formUnion(keys)
        }
    }

    /// Those of its aliases by which it is not looked for.
    private func setAside(
        of element: ModelReference.Element, _ subject: Subject
    ) async throws(StoreError) -> [String] {
        var aliases = element.aliases
        if let item = subject.item, let sealed = try await store.texts(of: [item])[0] {
            aliases += try ItemTexts(reading: try sealing.open(sealed, for: list.owner)).aliases
        }
        var known = Set(subject.aliases)
        return zip(aliases, lookup.keys(of: aliases, for: list.owner)).filter { known.insert($1).inserted }.map(\.0)
    }
}
