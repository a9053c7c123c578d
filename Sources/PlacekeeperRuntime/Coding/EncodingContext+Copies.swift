import PlacekeeperArchive

extension EncodingContext {
    /// Returns the index of an object's copy in the archive's instances. The first call adds the object to `copies`.
    ///
    /// The state is encoded later, so objects can refer to each other in a cycle or in a chain of any length.
    func index(
        ofCopy object: AnyObject, className: String, encode: @escaping @MainActor (StateEncoder) -> Void
    ) -> Int {
        if let index = copyIndices[ObjectIdentifier(object)] { return index }
        copyIndices[ObjectIdentifier(object)] = copies.count
        copies.append(Copy(object: object, className: className, encode: encode))
        return copies.count - 1
    }

    /// Encodes all objects that are saved by copy, including those that are added along the way.
    func encodeCopies() {
        while instances.count < copies.count {
            let copy = copies[instances.count]
            let coder = StateEncoder(self, path: copy.className)
            copy.encode(coder)
            instances.append(SavedInstance(className: copy.className, state: coder.state))
        }
    }

    /// An object that is being saved by copy. The strong reference keeps the object alive, so no other object can get
    /// its `ObjectIdentifier` while the archive is being saved.
    struct Copy {
        let object: AnyObject
        let className: String
        let encode: @MainActor (StateEncoder) -> Void
    }
}
