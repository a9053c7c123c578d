import PlacekeeperArchive

extension DecodingContext {
    /// Returns the object that was saved by copy at `index` in the archive's instances. The first call makes it, and
    /// later calls return the same object.
    ///
    /// `nil` if the object cannot be made, for example because the app has not listed its class, or while it is still
    /// being made.
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

    /// Returns the listed class for `instance`. `nil` if the app has not listed a class with this name, if the name is
    /// ambiguous, or if copies are nested too deeply; the restoration log then reports the reason.
    private func copyableClass(of instance: SavedInstance) -> CopyableClass? {
        let reason: String
        var finding = copyableClasses[instance.className]
        if case .unlisted = finding, let allowed = allowedClass(instance.className) { finding = .found(allowed) }
        switch finding {
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

    /// Decodes the waiting copies one after another. Recursion could overflow the stack, because copies can refer to
    /// each other in a long chain.
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

    /// The maximum depth of nested copies. Copies nest because the initializer of an `NSCoding` class decodes the
    /// objects that it needs, and makes them in turn.
    private static var greatestCopyDepth: Int { 128 }
}
