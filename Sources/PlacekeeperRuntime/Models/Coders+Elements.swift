public import PlacekeeperArchive

extension StateEncoder {
    /// Saves a reference to the element with `identifier`, such as the photo that a screen shows. Saves null if
    /// `identifier` is nil. The reference is stored in the archive's reference table. The service translates the
    /// references of this table for other devices. Do not save a model identifier as a string, because the service does
    /// not translate strings.
    public func encode(
        elementWithModelIdentifier identifier: String?, of dataSource: any ModelAssociation,
        role: ModelReference.Role = .selected, forKey key: String
    ) {
        let value = identifier.map { StateValue.reference(index(of: ModelReference($0, in: dataSource, role: role))) }
        encode(value ?? .null, forKey: key)
    }

    /// Saves references to the elements at `indexPaths`, for example to all expanded elements. An index path is left
    /// out if the data source has no element there.
    public func encode(
        elementsAt indexPaths: [ElementIndexPath], of dataSource: any DataSourceModelAssociation,
        in view: (any RestorableView)? = nil, role: ModelReference.Role = .other, forKey key: String
    ) {
        let references = indexPaths.compactMap { ModelReference(elementAt: $0, of: dataSource, in: view, role: role) }
        encode(.array(references.map { .reference(index(of: $0)) }), forKey: key)
    }

    /// Adds a reference to the archive's reference table. Returns the index of the reference in this table, for use in
    /// a `StateValue`.
    public func index(of reference: ModelReference) -> Int { context.index(of: reference) }
}

extension StateDecoder {
    /// Returns the element that the first reference under a key refers to. If the element is not found, returns a
    /// neighbor with the step `neighbor`, or nil (see `ModelReference.resolve(in:view:)`). For a screen that shows or
    /// edits an element, use `decodeShownElement(of:mayArrive:forKey:)`: this method never returns a neighbor.
    public func decodeElement(
        of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil, forKey key: String
    ) -> ElementResolution? {
        decodeReferences(forKey: key).first?.resolve(in: dataSource, view: view)
    }

    /// Returns the result of `ModelReference.resolve(in:view:)` for each reference under a key, in the saved order. A
    /// reference for which the result is nil is left out.
    public func decodeElements(
        of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil, forKey key: String
    ) -> [ElementResolution] {
        decodeReferences(forKey: key).compactMap { $0.resolve(in: dataSource, view: view) }
    }

    /// Returns the references that were saved under a key, either as a single reference or as an array of references.
    /// Resolve a reference when the app has loaded the data of the list.
    public func decodeReferences(forKey key: String) -> [ModelReference] {
        referenceIndices(forKey: key).map { context.archive.references[$0] }
    }

    /// Returns the references under a key, as indices in the archive's reference table. Indices beyond the end of this
    /// table are left out.
    func referenceIndices(forKey key: String) -> [Int] {
        let table = context.archive.references.indices
        let values: [StateValue]
        switch value(forKey: key) {
        case .array(let elements)?: values = elements
        case let value?: values = [value]
        case nil: values = []
        }
        return values.compactMap {
            if case .reference(let index) = $0, table.contains(index) { index } else { nil }
        }
    }
}
