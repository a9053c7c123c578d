import PlacekeeperArchive

extension DecodingContext {
    /// Returns the object that was saved by copy at `index` in the archive's instances, and makes the object at the
    /// first call. Every call with the same index returns the same object. Nil if the object cannot be made, for
    /// example because the app has not listed the object's class. Also nil while the object is still being made.
    func copy(at index: Int) -> AnyObject? {
        guard archive.instances.indices.contains(index) else { return nil }
        if let known = copies[index] { return known.object }
        let instance = archive.instances[index]
        guard let copyable = copyableClass(of: instance) else { return nil }
        let coder = StateDecoder(self, path: instance.className, state: instance.state)
        copies[index] = MadeCopy(object: nil)
        copyDepth += 1
        defer { copyDepth -= 1 }
        do {
            guard let object = try copyable.make(coder) else { return nil }
            copies[index] = MadeCopy(object: object)
            waiting.append(WaitingCopy(object: object, decode: copyable.decode, coder: coder))
            if copyDepth == 1 { decodeWaiting() }
            return object
        } catch {
            report(.failed(path: instance.className, reason: "\(error)"))
            return nil
        }
    }

    /// Returns the listed class that has the class name of `instance`. Returns nil if the app has not listed a class
    /// with this name, if several listed classes have this name, or if copies are nested too deeply. In these cases,
    /// the restoration log reports the reason.
    private func copyableClass(of instance: SavedInstance) -> CopyableClass? {
        let reason: String
        switch copyableClasses[instance.className] {
        case .found(let copyable):
            if copyDepth < Self.greatestCopyDepth { return copyable }
            reason = "copies are nested too deeply"
        case .unlisted: reason = "the app has not listed a class of that name"
        case .ambiguous(let classes):
            reason = "several listed classes have that name: \(classes.joined(separator: ", "))"
        }
        report(.failed(path: instance.className, reason: reason))
        return nil
    }

    /// Decodes the state of the waiting copies one after another. A recursion could exhaust the call stack, because
    /// each copy may refer to another copy in a long chain.
    private func decodeWaiting() {
        while let copy = waiting.popLast() {
            do { try copy.decode(copy.object, copy.coder) } catch {
                report(.failed(path: copy.coder.path, reason: "\(error)"))
            }
        }
    }

    struct MadeCopy {
        var object: AnyObject?
    }

    struct WaitingCopy {
        let object: AnyObject
        let decode: @MainActor (AnyObject, StateDecoder) throws -> Void
        let coder: StateDecoder
    }

    /// The maximum depth of nested copies. A copy is nested if it is made while the initializer of another copy runs:
    /// the initializers of `NSCoding` classes decode the objects that they need.
    private static var greatestCopyDepth: Int { 128 }
}
