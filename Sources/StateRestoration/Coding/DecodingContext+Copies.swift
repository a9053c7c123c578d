import KeyedArchive

extension DecodingContext {
    /// The object that was saved by copy at an index: the same one each time. Nil when its class is not listed, or when
    /// it is asked for while it is made.
    func copy(at index: Int) -> AnyObject? {
        guard archive.instances.indices.contains(index) else { return nil }
        if let known = copies[index] { return known.object }
        let instance = archive.instances[index]
        guard let copyable = copyableClasses[instance.className], copyDepth < Self.greatestCopyDepth else {
            report(.failed(path: instance.className, reason: "Not a listed class, or nested too deeply"))
            return nil
        }
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

    /// Lets copies decode their state, one after the other: a chain of them may be long.
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

    /// Copies that are made of others, as those of `NSCoding` are: so many at most.
    private static var greatestCopyDepth: Int { 128 }
}
