package import PlacekeeperArchive
package import PlacekeeperCore

/// Rewrites an archive's table of model references for the requesting device (docs/identity.md).
package struct ReferenceResolver {
    let environment: IdentityEnvironment
    let archive: Archive
    let principal: Principal
    private let budget: WorkBudget

    package init(
        environment: IdentityEnvironment, archive: Archive, principal: Principal,
        within budget: WorkBudget = WorkBudget()
    ) {
        self.budget = budget
        self.environment = environment
        self.archive = archive
        self.principal = principal
    }

    /// A table's references as the requesting device reads them, in the same order.
    package struct Resolved {
        package var references: [ModelReference]
        /// The resolution of each reference. Nil if the app hasn't declared its data source; the reference is then
        /// unchanged.
        package var resolutions: [ItemResolution?]
        /// For references to a list with the scope `shared`, by index: the device whose redirect replaced the
        /// identifier.
        package var redirectingDevices: [Int: DeviceID] = [:]
    }

    /// A search for an item's neighbor by registered position.
    private struct NeighborSearch: Hashable {
        var dataSource: String
        var anchors: ItemResolution.NeighborAnchors
        /// Whether the item may still arrive.
        var isPending: Bool
    }

    package func resolve(_ table: [ModelReference]) async throws(StoreError) -> Resolved {
        var resolved = Resolved(references: table, resolutions: table.map(resolutionWithoutSearch))
        let named = table.indices.filter { principal.app.dataSource(named: table[$0].dataSource) != nil }
        let indices = Dictionary(grouping: named) { table[$0].dataSource }
        var neighbors: [NeighborSearch: String?] = [:]
        // All data sources share one work budget. Sort them by name, so the result doesn't depend on a random order.
        for (name, indices) in indices.sorted(by: { $0.key < $1.key }) {
            guard let source = principal.app.dataSources[name] else { continue }
            switch source.scope {
            case .registered: try await resolve(indices, of: name, source, &neighbors, in: &resolved)
            case .shared where source.allowsRedirects: try await follow(indices, of: name, in: &resolved)
            case .shared, .keyed: break
            }
        }
        var room = Limits.rewritten
        for index in table.indices { limitGrowth(&room, index, of: &resolved, original: table[index]) }
        return resolved
    }

    /// Resolves a reference that needs no search. Nil if it needs one, or if the app hasn't declared its data source.
    ///
    /// A reference to a position in a static list is resolved as an index path. A reference to an item of a data source
    /// whose scope isn't `registered` keeps its identifier.
    private func resolutionWithoutSearch(_ reference: ModelReference) -> ItemResolution? {
        guard let source = principal.app.dataSource(named: reference.dataSource) else { return nil }
        if reference.element.identifier == nil, reference.element.aliases.isEmpty, reference.indexPath != nil {
            return ItemResolution(nil, .indexPath)
        }
        return source.scope == .registered ? nil : ItemResolution(reference.element.identifier, .exact)
    }

    /// Follows the redirects of a list with the same identifiers on all devices.
    private func follow(_ indices: [Int], of name: String, in resolved: inout Resolved) async throws(StoreError) {
        let list = ItemList(owner: archive.scene.owner, dataSource: name)
        let redirects = try await SharedRedirects(environment, list, within: budget)
        var meter = WorkMeter()
        let identifiers = indices.flatMap {
            meter.consume(64)
            return Self.evidence(of: resolved.references[$0]).compactMap(\.registrable)
        }
        let replacements = try await redirects.replacements(of: identifiers)
        guard !replacements.isEmpty else { return }
        func replacement(of element: ModelReference.Element) -> ItemName? {
            Evidence(element).registrable.flatMap { replacements[ByteText($0)] }
        }
        func rename(_ element: inout ModelReference.Element) {
            if let item = replacement(of: element) { element.identifier = item.identifier }
        }
        for index in indices {
            meter.consume(64)
            if resolved.resolutions[index]?.step == .indexPath { continue }
            let original = resolved.references[index]
            var reference = original
            resolved.redirectingDevices[index] = replacement(of: reference.element)?.device
            rename(&reference.element)
            for place in reference.before.indices { rename(&reference.before[place]) }
            for place in reference.after.indices { rename(&reference.after[place]) }
            guard reference != original else { continue }
            let resolution = ItemResolution(reference.element.identifier, .exact)
            reference.resolution = ModelReference.Resolution(step: .exact, confidence: resolution.confidence)
            resolved.references[index] = reference
            resolved.resolutions[index] = resolution
        }
    }

    /// - Parameter neighbors: the results of the archive's searches by registered position so far. Equal searches run
    ///   once.
    private func resolve(
        _ indices: [Int], of name: String, _ source: DataSource, _ neighbors: inout [NeighborSearch: String?],
        in resolved: inout Resolved
    ) async throws(StoreError) {
        let resolver = try await resolver(of: name, within: budget)
        var meter = WorkMeter()
        let evidence = indices.flatMap {
            meter.consume(64)
            return Self.evidence(of: resolved.references[$0])
        }
        let found = try await resolver.resolve(evidence)
        let shared = resolver.sharedAliases(of: evidence)
        var alignment = AlignmentSearch(resolver, without: shared, uniqueAliases: source.uniqueAliases)
        var next = 0
        for index in indices {
            meter.consume(64)
            let original = resolved.references[index]
            var reference = original
            let own = next
            next += 1 + reference.before.count + reference.after.count
            if resolved.resolutions[index]?.step == .indexPath { continue }
            var resolution = found[own]
            if resolution.isAssumed {
                // Keep the reference as the device saved it: the device itself looks up items that it hasn't
                // registered.
                resolved.references[index].resolution = nil
                resolved.resolutions[index] = resolution
                continue
            }
            let middle = own + 1 + reference.before.count
            let (before, after) = (found[own + 1..<middle], found[middle..<next])
            let place = AlignmentSearch.Place(
                item: evidence[own], before: evidence[own + 1..<middle], after: evidence[middle..<next],
                takesEither: takesNeighbors(reference, source))
            try await alignment.settle(place, &resolution)
            for (place, neighbor) in before.enumerated() { rename(&reference.before[place], neighbor) }
            for (place, neighbor) in after.enumerated() { rename(&reference.after[place], neighbor) }
            let isPending = resolution.step == .pending && reference.role == .firstVisible
            if isPending || (resolution.step == .unresolved && takesNeighbors(reference, source)) {
                if let nearest = Self.nearest(before: before, after: after, isPending: isPending) {
                    resolution.take(nearest, by: .archive)
                } else if !resolution.neighborAnchors.isEmpty {
                    let search = NeighborSearch(
                        dataSource: name, anchors: resolution.neighborAnchors, isPending: isPending)
                    // A search considers up to `Limits.neighbors` items on each side, so it takes twice as many
                    // lookups.
                    if neighbors[search] == nil, neighbors.count < Limits.neighborSearches,
                        budget.take(2 * Limits.neighbors, for: .search)
                    {
                        neighbors[search] = .some(
                            try await resolver.neighbor(of: search.anchors, isPending: isPending, without: shared))
                    }
                    switch neighbors[search] {
                    case .some(let nearest?): resolution.take(nearest, by: .position)
                    case .some(nil): break
                    case nil: resolution.limitedBy = .neighbors
                    }
                }
            }
            rename(&reference.element, resolution)
            let isUntouched =
                reference.element == original.element && reference.before == original.before
                && reference.after == original.after
            reference.resolution = nil
            if resolution.step != .exact || !isUntouched {
                reference.resolution = ModelReference.Resolution(
                    step: ModelReference.Step(rawValue: resolution.step.rawValue), confidence: resolution.confidence,
                    isAmbiguous: resolution.isAmbiguous, neighbor: resolution.neighbor)
                // A reference's step applies to all its identifiers, so remove those of unregistered neighbors.
                for (place, neighbor) in before.enumerated() where neighbor.isAssumed {
                    reference.before[place].identifier = nil
                }
                for (place, neighbor) in after.enumerated() where neighbor.isAssumed {
                    reference.after[place].identifier = nil
                }
            }
            resolved.references[index] = reference
            resolved.resolutions[index] = resolution
        }
    }

    /// Replaces the element's identifier with the one on the requesting device. Unless the step is `exact`, aliases that
    /// aren't evidence become shared aliases, and those of another item of the requesting device are removed.
    private func rename(_ element: inout ModelReference.Element, _ resolution: ItemResolution) {
        element.identifier = resolution.identifier
        guard resolution.step != .exact else { return }
        if resolution.isDecided {
            // Without aliases, the device has no reason to doubt an operator's decision.
            element.aliases = []
            element.sharedAliases = nil
            return
        }
        let evidence = Evidence(element)
        element.aliases = evidence.aliases.filter {
            !resolution.withheldAliases.contains($0) && !resolution.sharedAliases.contains($0)
        }
        element.sharedAliases = resolution.sharedAliases.isEmpty ? nil : resolution.sharedAliases
    }

    func resolver(
        of name: String, within budget: WorkBudget
    ) async throws(StoreError) -> IdentityResolver {
        try await IdentityResolver(
            environment, ItemList(owner: principal.owner, dataSource: name), from: archive.device,
            for: principal.device.id,
            writtenAt: archive.writtenAt, within: budget)
    }

    /// Returns the evidence of a reference and of its neighbors, which are resolved together.
    static func evidence(of reference: ModelReference) -> [Evidence] {
        ([reference.element] + reference.before + reference.after).map { Evidence($0) }
    }

    private func takesNeighbors(_ reference: ModelReference, _ source: DataSource) -> Bool {
        reference.role == .firstVisible || (reference.role == .selected && source.selectsNeighbors)
    }

    /// Returns the identifier of the nearest neighbor that the requesting device has registered. At equal distance, the
    /// neighbor after the item wins.
    ///
    /// - Parameter isPending: whether the item may still arrive. If so, only a certain neighbor counts.
    private static func nearest(
        before: ArraySlice<ItemResolution>, after: ArraySlice<ItemResolution>, isPending: Bool
    ) -> String? {
        for distance in 0..<max(before.count, after.count) {
            for side in [after, before] where distance < side.count {
                let neighbor = side[side.startIndex + distance]
                if isPending, !neighbor.isCertain { continue }
                if let identifier = neighbor.identifier, !neighbor.isAssumed { return identifier }
            }
        }
        return nil
    }

    /// Leaves a changed reference unresolved if all changed references up to it would exceed `Limits.rewritten` bytes.
    private func limitGrowth(
        _ room: inout Int, _ index: Int, of resolved: inout Resolved, original reference: ModelReference
    ) {
        guard resolved.references[index] != reference else { return }
        room -= resolved.references[index].writtenSize
        guard room < 0 else { return }
        // Without identifiers and aliases, such references of one data source and role are equal, so they are written
        // once.
        resolved.references[index] = ModelReference(
            dataSource: reference.dataSource, element: .init(nil), role: reference.role,
            resolution: ModelReference.Resolution(step: .unresolved, confidence: 0))
        resolved.resolutions[index] = ItemResolution(nil, .unresolved)
        resolved.resolutions[index]?.limitedBy = .size
    }
}

extension ModelReference.Element {
    fileprivate var writtenSize: Int {
        allAliases.reduce(96 + (identifier?.utf8.count ?? 0)) { $0 + 24 + $1.utf8.count }
    }
}

extension ModelReference {
    /// The approximate size of a rewritten reference, in bytes. A text that several references share in the archive
    /// counts for each of them.
    fileprivate var writtenSize: Int {
        let neighbor = resolution?.neighbor.map { 32 + $0.utf8.count } ?? 0
        return ([element] + before + after).reduce(256 + 8 * (indexPath?.count ?? 0) + neighbor) {
            $0 + $1.writtenSize
        }
    }
}
