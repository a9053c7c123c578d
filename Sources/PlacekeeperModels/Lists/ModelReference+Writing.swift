package import PlacekeeperArchive

extension ModelReference {
    /// The reference without identifiers and aliases that an archive cannot hold, because they contain too many
    /// combining marks in a row. An element can still be found by its remaining identifier or aliases.
    package var withoutUnwritableNames: ModelReference {
        guard ([element] + before + after).contains(where: \.hasUnwritableName) else { return self }
        var reference = self
        reference.element = element.withoutUnwritableNames
        reference.before = before.map(\.withoutUnwritableNames)
        reference.after = after.map(\.withoutUnwritableNames)
        return reference
    }
}

extension ModelReference.Element {
    fileprivate var hasUnwritableName: Bool {
        identifier?.hasLongCombiningRun == true
            || allAliases.contains(where: \.hasLongCombiningRun)
    }

    fileprivate var withoutUnwritableNames: Self {
        Self(
            identifier.flatMap { $0.hasLongCombiningRun ? nil : $0 },
            aliases: aliases.filter { !$0.hasLongCombiningRun },
            sharedAliases: sharedAliases.map { $0.filter { !$0.hasLongCombiningRun } })
    }
}
