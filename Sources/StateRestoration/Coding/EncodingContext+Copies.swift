import KeyedArchive

extension EncodingContext {
    /// The index of an object's copy among the archive's instances. The object saves its state later, so that objects
    /// may refer to each other in a circle, and in chains of any length.
    func index(
        ofCopy object: AnyObject, className: String, encode: @escaping @MainActor (StateEncoder) -> Void
    ) -> Int {
        if let index = copyIndices[ObjectIdentifier(object)] { return index }
        copyIndices[ObjectIdentifier(object)] = copies.count
        copies.append(Copy(object: object, className: className, encode: encode))
        return copies.count - 1
    }

    /// Lets objects that are saved by copy save their state; each may lead to more.
    func encodeCopies() {
        while instances.count < copies.count {
            let copy = copies[instances.count]
            let coder = StateEncoder(self, path: copy.className)
            copy.encode(coder)
            instances.append(SavedInstance(className: copy.className, state: coder.state))
        }
    }

    /// An object that is being saved by copy; it lives on until the archive is made, so that no other takes its identity.
    struct Copy {
        let object: AnyObject
        let className: String
        let encode: @MainActor (StateEncoder) -> Void
    }
}
