import KeyedArchive

/// Rewrites an archive's table of model references for the device that asks (design, "Identity").
struct ReferenceResolver {
    let service: RestorationService
    let archive: Archive
    let caller: Caller
    private let allowance: SearchAllowance

    init(
        service: RestorationService, archive: Archive, caller: Caller,
        within allowance: SearchAllowance = SearchAllowance()
    ) {
        self.allowance = allowance
        self.service = service
        self.archive = archive
        self.caller = caller
    }

    /// A table's references as the asking device is to read them, in the table's order.
    struct Resolved {
        var references: [ModelReference]
        /// What became of each; nil where nothing had to be found out: its data source is not registered, or it is of a
        /// static list.
        var resolutions: [ItemResolution?]
    }

    func resolve(_ table: [ModelReference]) async throws(StoreError) -> Resolved {
        var resolved = Resolved(references: table, resolutions: table.map(carried))
        let named = table.indices.filter { caller.app.dataSource(named: table[$0].dataSource) != nil }
        let indices = Dictionary(grouping: named) { table[$0].dataSource }
        // In an order that stays: what is allowed is allowed to all together.
        for (name, indices) in indices.sorted(by: { $0.key < $1.key }) {
            guard let source = caller.app.dataSources[name], source.scope == .registered else { continue }
            try await resolve(indices, of: name, source, in: &resolved)
        }
        var room = Limits.rewritten
        for index in table.indices { keepWithin(&room, index, of: &resolved, was: table[index]) }
        return resolved
    }

    /// Of a data source whose identifiers are the same everywhere, or that the app looks up by itself.
    private func carried(_ reference: ModelReference) -> ItemResolution? {
        guard let source = caller.app.dataSource(named: reference.dataSource) else { return nil }
        if reference.element.identifier == nil, reference.element.aliases.isEmpty, reference.indexPath != nil {
            return ItemResolution(nil, .indexPath)
        }
        return source.scope == .registered ? nil : ItemResolution(reference.element.identifier, .exact)
    }

    private func resolve(
        _ indices: [Int], of name: String, _ source: DataSource, in resolved: inout Resolved
    ) async throws(StoreError) {
        let resolver = try await resolver(of: name, within: allowance)
        let evidence = indices.flatMap { Self.evidence(of: resolved.references[$0]) }
        let found = try await resolver.resolve(evidence)
        lazy var shared = resolver.sharedAliases(of: evidence)
        var next = 0
        /// What was found by position, asked for once each.
        var neighbours: [ItemResolution.NeighbourAnchors: String?] = [:]
        for index in indices {
            let was = resolved.references[index]
            var reference = was
            let own = next
            next += 1 + reference.before.count + reference.after.count
            if resolved.resolutions[index]?.step == .indexPath { continue }
            var resolution = found[own]
            if resolution.isAssumed {
                // As it was saved: the device looks for what it has not registered with as much care as before.
                resolved.references[index].resolution = nil
                resolved.resolutions[index] = resolution
                continue
            }
            let before = found[own + 1..<own + 1 + reference.before.count]
            let after = found[own + 1 + reference.before.count..<next]
            for (place, neighbour) in before.enumerated() { rename(&reference.before[place], neighbour) }
            for (place, neighbour) in after.enumerated() { rename(&reference.after[place], neighbour) }
            if resolution.step == .unresolved, takesNeighbours(reference, source) {
                if let nearest = Self.nearest(before: before, after: after) {
                    resolution.take(nearest, by: .archive)
                } else if !resolution.neighbourAnchors.isEmpty {
                    let places = resolution.neighbourAnchors
                    if neighbours[places] == nil, allowance.neighbours.take() {
                        neighbours[places] = .some(try await resolver.neighbour(of: places, without: shared))
                    }
                    switch neighbours[places] {
                    case .some(let nearest?): resolution.take(nearest, by: .position)
                    case .some(nil): break
                    case nil: resolution.limitedBy = .neighbours
                    }
                }
            }
            rename(&reference.element, resolution)
            let isUntouched =
                reference.element == was.element && reference.before == was.before && reference.after == was.after
            reference.resolution = nil
            if resolution.step != .exact || !isUntouched {
                reference.resolution = ModelReference.Resolution(
                    step: ModelReference.Step(rawValue: resolution.step.rawValue), confidence: resolution.confidence,
                    isAmbiguous: resolution.isAmbiguous)
                // What is said of a reference holds for all its names.
                for (place, neighbour) in before.enumerated() where neighbour.isAssumed {
                    reference.before[place].identifier = nil
                }
                for (place, neighbour) in after.enumerated() where neighbour.isAssumed {
                    reference.after[place].identifier = nil
                }
            }
            resolved.references[index] = reference
            resolved.resolutions[index] = resolution
        }
    }

    /// Names an element as it is called where it was looked for, and leaves out what speaks for another there or is not
    /// evidence for any.
    private func rename(_ element: inout ModelReference.Element, _ resolution: ItemResolution) {
        element.identifier = resolution.identifier
        if resolution.step != .exact, !element.isEvidenceThroughout {
            element.aliases = Evidence(element).aliases
        }
        if !resolution.refuted.isEmpty { element.aliases.removeAll(where: resolution.refuted.contains) }
    }

    func resolver(
        of name: String, within allowance: SearchAllowance
    ) async throws(StoreError) -> IdentityResolver {
        try await IdentityResolver(
            service, ItemList(owner: caller.owner, dataSource: name), from: archive.device, for: caller.device.id,
            writtenAt: archive.writtenAt, within: allowance)
    }

    /// Neighbours are looked for with their references: a store is asked once for all.
    static func evidence(of reference: ModelReference) -> [Evidence] {
        ([reference.element] + reference.before + reference.after).map { Evidence($0) }
    }

    private func takesNeighbours(_ reference: ModelReference, _ source: DataSource) -> Bool {
        reference.role == .firstVisible || (reference.role == .selected && source.selectsNeighbours)
    }

    /// The nearest neighbour that is known to be there, those after before those before.
    private static func nearest(
        before: ArraySlice<ItemResolution>, after: ArraySlice<ItemResolution>
    ) -> String? {
        for distance in 0..<max(before.count, after.count) {
            for side in [after, before] where distance < side.count {
                let neighbour = side[side.startIndex + distance]
                if let identifier = neighbour.identifier, !neighbour.isAssumed { return identifier }
            }
        }
        return nil
    }

    /// Leaves unresolved what would make the archive grow beyond all measure.
    private func keepWithin(_ room: inout Int, _ index: Int, of resolved: inout Resolved, was reference: ModelReference)
    {
        guard resolved.references[index] != reference else { return }
        room -= resolved.references[index].writtenSize
        guard room < 0 else { return }
        // Without names it is as good as nothing: all such references are written once.
        resolved.references[index] = ModelReference(
            dataSource: reference.dataSource, element: .init(nil), role: reference.role,
            resolution: ModelReference.Resolution(step: .unresolved, confidence: 0))
        resolved.resolutions[index] = ItemResolution(nil, .unresolved)
        resolved.resolutions[index]?.limitedBy = .size
    }
}

extension ModelReference.Element {
    fileprivate var writtenSize: Int {
        aliases.reduce(96 + (identifier?.utf8.count ?? 0)) { $0 + 24 + $1.utf8.count }
    }
}

extension ModelReference {
    /// Bytes that it takes to write a reference anew, about: what a file shares among elements is written with each.
    fileprivate var writtenSize: Int {
        ([element] + before + after).reduce(256 + 8 * (indexPath?.count ?? 0)) { $0 + $1.writtenSize }
    }
}
