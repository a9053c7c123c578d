import KeyedArchive

extension StateEncoder {
    /// Saves what a view controller presents; nothing when that has no identifier.
    func encodePresented(of presenter: any RestorableViewController) {
        guard let presented = presenter.restorablePresented, presented.savedIdentifier != nil else { return }
        encodeStructure(reference(to: presented), forKey: ReservedKey.Structure.presented)
    }
}

extension StateDecoder {
    /// Presents what was presented, if it still exists (row 21).
    func decodePresented(into presenter: any RestorableViewController) {
        guard let presented: any RestorableViewController = decodeObject(forKey: ReservedKey.Structure.presented),
            presenter.restorablePresented !== presented
        else { return }
        presenter.restorePresented(presented)
    }
}
