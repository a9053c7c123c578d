public import PlacekeeperArchive

extension StateEncoder {
    /// Saves a reference to the element with `identifier`, such as the photo on screen, or null if `identifier` is nil.
    ///
    /// The reference goes into the archive's reference table, which the service translates for other devices. Do not
    /// save a model identifier as a string: the service does not translate strings.
    public func encode(
        elementWithModelIdentifier identifier: String?, of dataSource: any ModelAssociation,
        role: ModelReference.Role = .selected, forKey key: String
    ) {
        let value = identifier.map { identifier in
            let reference = ModelReference(identifier, by: context.listIndex(of: dataSource), role: role)
            return StateValue.reference(index(of: reference))
        }
        encode(value ?? .null, forKey: key)
    }

    /// Saves references to the elements at `indexPaths`, for example to all expanded elements. Index paths without an
    /// element are left out.
    public func encode(
        elementsAt indexPaths: [ElementIndexPath], of dataSource: any DataSourceModelAssociation,
        in view: (any ElementView)? = nil, role: ModelReference.Role = .other, forKey key: String
    ) {
        let index = ListIndex(dataSource, in: view)
        let references = indexPaths.compactMap {
            ModelReference(elementAt: $0, of: dataSource, by: index, role: role)
        }
        encode(.array(references.map { .reference(self.index(of: $0)) }), forKey: key)
    }

    /// Adds a reference to the archive's reference table, and returns its index there, for use in a `StateValue`.
    public func index(of reference: ModelReference) -> Int { context.index(of: reference) }
}

extension StateDecoder {
    /// Returns the element that the first reference under a key refers to. If it is not found, returns a neighbor with
    /// the step `neighbor`, or nil (see `ModelReference.resolve(in:view:)`).
    ///
    /// For a screen that shows or edits an element, use `decodeShownElement(of:mayArrive:forKey:)`, which never returns
    /// a neighbor.
    public func decodeElement(
        of dataSource: any DataSourceModelAssociation, in view: (any ElementView)? = nil, forKey key: String
    ) -> ElementResolution? {
        decodeReferences(forKey: key).first?.resolve(in: dataSource, view: view)
    }

    /// Resolves each reference under a key with `ModelReference.resolve(in:view:)`, in the saved order. References that
    /// resolve to nil are left out.
    public func decodeElements(
        of dataSource: any DataSourceModelAssociation, in view: (any ElementView)? = nil, forKey key: String
    ) -> [ElementResolution] {
        let index = ListIndex(dataSource, in: view)
        return decodeReferences(forKey: key).compactMap { $0.resolve(in: dataSource, by: index) }
    }

    /// Returns the references under a key, saved as one reference or as an array. Resolve them once the app has loaded
    /// the list's data.
    public func decodeReferences(forKey key: String) -> [ModelReference] {
        referenceIndices(forKey: key).map { context.archive.references[$0] }
    }

    /// Returns the references under a key as indices into the archive's reference table. Out-of-range indices are left
    /// out.
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
