import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

// Conversions between the types of data sources and items and the wire types.

extension Wire.Scope {
    init(_ scope: DataSource.Scope) {
        switch scope {
        case .shared: self = .shared
        case .keyed: self = .keyed
        case .registered: self = .registered
        }
    }
}

extension DataSource.Scope {
    init(_ word: Wire.Scope) throws(Problem) {
        guard let scope = DataSource.Scope(rawValue: word.rawValue) else { throw .unknown(word) }
        self = scope
    }
}

extension DataSource {
    init(_ declaration: Wire.DataSourceDeclaration) throws(Problem) {
        let scope = try Scope(declaration.scope)
        self.init(
            scope: scope, selectsNeighbors: declaration.selectsNeighbors ?? false,
            uniqueAliases: declaration.uniqueAliases ?? [], allowsRedirects: declaration.allowsRedirects ?? false)
    }
}

extension Wire.DataSource {
    init(_ source: DataSource, named name: String, registration: RegistrationState? = nil) {
        self.init(
            name: name, scope: Wire.Scope(source.scope), selectsNeighbors: source.selectsNeighbors,
            uniqueAliases: source.uniqueAliases, allowsRedirects: source.allowsRedirects,
            registration: registration.map(Wire.RegistrationState.init))
    }
}

extension Wire.RegistrationState {
    init(_ state: RegistrationState) {
        self.init(cursor: state.cursor, digest: state.digest.description, count: state.count)
    }
}

extension Wire.Item {
    init(_ item: Item) {
        self.init(identifier: item.identifier, aliases: item.aliases, position: item.position)
    }
}

extension Item {
    init(_ item: Wire.Item) {
        self.init(item.identifier, aliases: item.aliases ?? [], position: item.position)
    }
}

extension ItemDelta {
    init(_ delta: Wire.ItemDelta) {
        self.init(
            upserts: (delta.upserts ?? []).map { Item($0) }, removals: delta.removals ?? [],
            redirects: (delta.redirects ?? []).map { Redirect(from: $0.from, to: $0.to) }, after: delta.after)
    }
}

extension Wire.ResolutionStep {
    init(_ step: ItemResolution.Step) {
        switch step {
        case .exact: self = .exact
        case .alias: self = .alias
        case .alignment: self = .alignment
        case .indistinguishable: self = .indistinguishable
        case .pending: self = .pending
        case .neighbor: self = .neighbor
        case .indexPath: self = .indexPath
        case .unresolved: self = .unresolved
        }
    }
}

extension Wire.Resolution {
    init(_ resolution: ItemResolution, of source: String) {
        self.init(
            source: source, identifier: resolution.identifier, step: Wire.ResolutionStep(resolution.step),
            confidence: resolution.confidence, ambiguous: resolution.isAmbiguous)
    }
}
