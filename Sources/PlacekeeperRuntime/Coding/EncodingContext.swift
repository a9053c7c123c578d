package import PlacekeeperArchive

/// State shared by all encoders of an archive.
@MainActor
package final class EncodingContext {
    /// Returns the path of a referenced object, and adds it to the objects to save. `nil` if the object cannot be
    /// saved.
    var pathForReference: (any StateRestoring) -> String? = { _ in nil }
    /// Returns the view controller that waits until its presenter presents nothing else.
    var waitingPresented: (any RestorableViewController) -> (any RestorableViewController)? = { _ in nil }
    /// Receives warnings and errors about saved values.
    var lint: (_ path: String, _ key: String, RestorationLint) -> Void = { _, _, _ in }
    /// The recommended limits for the value under each key.
    var budget = StateBudget()

    /// The encoded state of objects that are saved by copy.
    package var instances: [SavedInstance] = []
    var copies: [Copy] = []
    var copyIndices: [ObjectIdentifier: Int] = [:]
    /// The archive's table of model references.
    package private(set) var references: [ModelReference] = []
    private var referenceIndices: [ModelReference: Int] = [:]
    private var listIndexes: [ObjectIdentifier: ListIndex] = [:]

    /// The idiom, layout and versions of this device, which are stored in the archive.
    let device: RestorationContext
    /// The time of saving, in seconds since the start of 2001, UTC.
    let timestamp: Double

    init(device: RestorationContext, timestamp: Double) {
        self.device = device
        self.timestamp = timestamp
    }

    /// Returns the index of a list, which all references of the archive share, so that the list is read once.
    func listIndex(of list: any ModelAssociation) -> ListIndex {
        if let index = listIndexes[ObjectIdentifier(list)] { return index }
        let index = ListIndex(list, in: nil)
        listIndexes[ObjectIdentifier(list)] = index
        return index
    }

    /// Returns the index of a model reference in the archive's reference table, and adds the reference if necessary.
    /// Equal references share one entry.
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
