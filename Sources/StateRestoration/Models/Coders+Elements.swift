public import KeyedArchive

extension StateEncoder {
    /// Saves a reference to an element of a list, such as the photo that is open. It stands in the archive's table, where
    /// the service finds what another device calls it; a mere string would stay as it is.
    public func encode(
        elementWithModelIdentifier identifier: String?, of dataSource: any DataSourceModelAssociation,
        role: ModelReference.Role = .selected, forKey key: String
    ) {
        let value = identifier.map { StateValue.reference(index(of: ModelReference($0, of: dataSource, role: role))) }
        encode(value ?? .null, forKey: key)
    }

    /// Saves references to elements by where they stand, such as those that are expanded. Those that the data source does
    /// not know are left out.
    public func encode(
        elementsAt indexPaths: [ElementIndexPath], of dataSource: any DataSourceModelAssociation,
        in view: (any RestorableView)? = nil, role: ModelReference.Role = .other, forKey key: String
    ) {
        let references = indexPaths.compactMap { ModelReference(elementAt: $0, of: dataSource, in: view, role: role) }
        encode(.array(references.map { .reference(index(of: $0)) }), forKey: key)
    }

    /// The index of a reference in the archive's table, so that it may stand in a value.
    public func index(of reference: ModelReference) -> Int { context.index(of: reference) }
}

extension StateDecoder {
    /// The element that a reference leads to; nil when it is gone. In a list that selects neighbours it may be one, as its
    /// `step` says: a screen that shows an element, and what was typed there, had better be a `ShownElement`.
    public func decodeElement(
        of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil, forKey key: String
    ) -> ElementResolution? {
        decodeReferences(forKey: key).first?.resolve(in: dataSource, view: view)
    }

    /// The elements that references lead to, in the order in which they were saved, without those that are gone.
    public func decodeElements(
        of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil, forKey key: String
    ) -> [ElementResolution] {
        decodeReferences(forKey: key).compactMap { $0.resolve(in: dataSource, view: view) }
    }

    /// The references under a key, one or many: to be resolved once their data is there.
    public func decodeReferences(forKey key: String) -> [ModelReference] {
        referenceIndices(forKey: key).map { context.archive.references[$0] }
    }

    /// Where the references under a key stand in the archive's table.
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
