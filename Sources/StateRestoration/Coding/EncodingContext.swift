package import KeyedArchive

/// What the coders of one archive share while it is made.
@MainActor
package final class EncodingContext {
    /// The path of an object that state refers to, which is then saved as well; nil when it cannot be.
    var pathForReference: (any StateRestoring) -> String? = { _ in nil }
    /// Hears what is unwise.
    var lint: (_ path: String, _ key: String, RestorationLint) -> Void = { _, _, _ in }
    /// What an object should keep to.
    var budget = StateBudget()

    /// Objects saved by copy.
    package var instances: [SavedInstance] = []
    var copies: [Copy] = []
    var copyIndices: [ObjectIdentifier: Int] = [:]
    /// The table of model references.
    package private(set) var references: [ModelReference] = []
    private var referenceIndices: [ModelReference: Int] = [:]

    /// The context that reserved keys answer.
    let device: RestorationContext
    /// Seconds since the start of 2001, UTC.
    let timestamp: Double

    init(device: RestorationContext, timestamp: Double) {
        self.device = device
        self.timestamp = timestamp
    }

    /// The index of a model reference in the archive's table; equal ones are there once.
    package func index(of reference: ModelReference) -> Int {
        let reference = reference.withoutResolution.withoutUnwritableNames
        if let index = referenceIndices[reference] { return index }
        references.append(reference)
        referenceIndices[reference] = references.count - 1
        return references.count - 1
    }
}

extension ModelReference {
    /// The reference without the names that an archive cannot hold: the element is found by its others.
    fileprivate var withoutUnwritableNames: ModelReference {
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
