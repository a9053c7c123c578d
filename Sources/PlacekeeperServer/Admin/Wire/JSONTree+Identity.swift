import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

extension JSONTree {
    init(_ source: UserDataSource) {
        self = [
            "name": .text(source.name), "scope": source.declaration.map { .text($0.scope.rawValue) },
            "selectsNeighbors": source.declaration.map { .truth($0.selectsNeighbors) },
            "uniqueAliases": source.declaration.map { .list($0.uniqueAliases.map(JSONTree.text)) },
            "allowsRedirects": source.declaration.map { .truth($0.allowsRedirects) },
            "registrations": .list(
                source.registries.map { registry in
                    [
                        "device": .id(registry.device), "count": .number(registry.state.count),
                        "cursor": .number(Int64(registry.state.cursor)),
                    ]
                }),
        ]
    }

    init(_ item: Item, _ redaction: Redaction) {
        self = [
            "identifier": .text(redaction.identifier(item.identifier)),
            "aliases": .list(redaction.aliases(item.aliases).map(JSONTree.text)),
            "position": item.position.map(JSONTree.number),
        ]
    }

    init(_ alias: Lists.AmbiguousAlias, _ redaction: Redaction) {
        self = [
            "alias": .text(redaction.aliases([alias.alias])[0]), "device": .id(alias.device),
            "identifiers": .list(alias.identifiers.map { .text(redaction.identifier($0)) }),
        ]
    }

    init(_ decision: Lists.Decision, _ redaction: Redaction) {
        func item(_ name: ItemName) -> JSONTree {
            ["device": .id(name.device), "identifier": .text(redaction.identifier(name.identifier))]
        }
        self = [
            "kind": .text(decision.kind.rawValue), "first": item(decision.first), "second": item(decision.second),
            "note": .text(decision.note), "decidedAt": .time(decision.decidedAt),
            "hasEnded": .truth(decision.hasEnded),
        ]
    }
}
