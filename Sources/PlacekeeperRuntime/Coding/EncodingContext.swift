package import PlacekeeperArchive

/// The state that all encoders of an archive share.
@MainActor
package final class EncodingContext {
    /// Returns the path of a referenced object, and adds the object to the objects to save. Nil if the object cannot be
    /// saved.
    var pathForReference: (any StateRestoring) -> String? = { _ in nil }
    /// Receives the warnings and errors about values that objects save.
    var lint: (_ path: String, _ key: String, RestorationLint) -> Void = { _, _, _ in }
    /// The recommended limits for the value under each key.
    var budget = StateBudget()

    /// The encoded state of the objects that are saved by copy.
    package var instances: [SavedInstance] = []
    var copies: [Copy] = []
    var copyIndices: [ObjectIdentifier: Int] = [:]
    /// The archive's table of model references.
    package private(set) var references: [ModelReference] = []
    private var referenceIndices: [ModelReference: Int] = [:]

    /// The context of the device that saves the archive. The archive holds the values of this context.
    let device: RestorationContext
    /// The time of saving, in seconds since the start of 2001, UTC.
    let timestamp: Double

    init(device: RestorationContext, timestamp: Double) {
        self.device = device
        self.timestamp = timestamp
    }

    /// Returns the index of a model reference in the archive's reference table, and adds the reference if the table
    /// does not have it. Equal references share one entry.
    package func index(of reference: ModelReference) -> Int {
        let given = reference.withoutResolution
        let reference = given.withoutUnwritableNames
        if let index = referenceIndices[reference] { return index }
        if reference != given { lint("references", reference.dataSource, .unwritable) }
        references.append(reference)
        referenceIndices[reference] = references.count - 1
        return references.count - 1
    }
}

extension ModelReference {
    /// The reference without the identifiers and aliases that an archive cannot hold, because they have too many
    /// combining marks in a row. An element that still has an identifier or an alias can be found by it.
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
        identifier?.hasLongCombiningRun == true || aliases.contains(where: \.hasLongCombiningRun)
    }

    fileprivate var withoutUnwritableNames: Self {
        Self(
            identifier.flatMap { $0.hasLongCombiningRun ? nil : $0 },
            aliases: aliases.filter { !$0.hasLongCombiningRun })
    }
}
