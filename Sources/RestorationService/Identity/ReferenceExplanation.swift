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
    func explain(_ table: [ModelReference], limit: Int) async throws(StoreError) -> [ReferenceExplanation] {
        let table = Array(table.prefix(limit))
        let resolved = try await resolve(table)
        var resolvers: [String: IdentityResolver] = [:]
        var explanations: [ReferenceExplanation] = []
        for (reference, resolved) in zip(table, resolved) {
            let source = caller.app.dataSources[reference.dataSource]
            let resolution = resolved.resolution ?? ItemResolution(reference.element.identifier, .exact)
            var explanation = ReferenceExplanation(
                dataSource: reference.dataSource, scope: source?.scope, role: reference.role.rawValue,
                source: reference.element.identifier, aliases: reference.element.aliases,
                identifier: resolution.identifier, step: resolution.step, confidence: resolution.confidence,
                isAmbiguous: resolution.isAmbiguous)
            if source?.scope == .registered {
                var resolver = resolvers[reference.dataSource]
                if resolver == nil { resolver = try await self.resolver(of: reference.dataSource) }
                resolvers[reference.dataSource] = resolver
                try await resolver?.explain(reference.element, in: &explanation)
            }
            explanations.append(explanation)
        }
        return explanations
    }

    private func resolver(of name: String) async throws(StoreError) -> IdentityResolver {
        try await IdentityResolver(
            service, ItemList(owner: caller.owner, dataSource: name), from: archive.device, for: caller.device.id,
            capturedAt: archive.capturedAt)
    }
}

extension IdentityResolver {
    /// Adds the class of an element and what it rests on.
    fileprivate func explain(
        _ element: ModelReference.Element, in explanation: inout ReferenceExplanation
    ) async throws(StoreError) {
        let evidence = Evidence(element.identifier, aliases: element.aliases)
        let subject = try await subjects(of: [evidence])[0]
        explanation.isReused = subject.isReused
        let found = try await identityClasses(of: [subject])[0]
        explanation.isContradictory = found.isContradictory
        explanation.isOvergrown = found.isOvergrown
        // Whatever was said before of the item, by key: what a member adds to it is why it is here.
        var known = Set(subject.aliases)
        explanation.setAside = try await setAside(of: element, subject)
        for member in found.members {
            let texts = try texts(of: member.item)
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

    private func setAside(
        of element: ModelReference.Element, _ subject: Subject
    ) async throws(StoreError) -> [String] {
        var aliases = element.aliases
        if let item = subject.item { aliases += try texts(of: item).aliases }
        let keys = lookup.keys(of: aliases, for: list.owner)
        let valid = Set(try await valid(keys))
        var named: Set<LookupKey> = []
        return zip(aliases, keys).filter { !valid.contains($1) && named.insert($1).inserted }.map(\.0)
    }
}
