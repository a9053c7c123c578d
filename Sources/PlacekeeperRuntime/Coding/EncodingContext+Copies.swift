import PlacekeeperArchive

extension EncodingContext {
    /// Returns the index that an object's copy has in the archive's instances, and adds the object to `copies` at the
    /// first call. The object's state is encoded later, so objects may refer to each other in a circle, or in a chain
    /// of any length.
    func index(
        ofCopy object: AnyObject, className: String, encode: @escaping @MainActor (StateEncoder) -> Void
    ) -> Int {
        if let index = copyIndices[ObjectIdentifier(object)] { return index }
        copyIndices[ObjectIdentifier(object)] = copies.count
        copies.append(Copy(object: object, className: className, encode: encode))
        return copies.count - 1
    }

    /// Encodes the state of all objects that are saved by copy. Encoding an object may add more copies, which are then
    /// encoded too.
    func encodeCopies() {
        while instances.count < copies.count {
            let copy = copies[instances.count]
            let coder = StateEncoder(self, path: copy.className)
            copy.encode(coder)
            instances.append(SavedInstance(className: copy.className, state: coder.state))
        }
    }

    /// An object that is being saved by copy. The strong reference keeps the object alive, so no other object can get
    /// the same `ObjectIdentifier` while the archive is being saved.
    struct Copy {
        let object: AnyObject
        let className: String
        let encode: @MainActor (StateEncoder) -> Void
    }
}
