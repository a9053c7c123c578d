import PlacekeeperArchive

extension StateEncoder {
    /// Saves a reference to the presented view controller, if it has an identifier, or else to the one that waits.
    package func encodePresented(of presenter: any RestorableViewController) {
        guard let presented = context.waitingPresented(presenter) ?? presenter.restorablePresented,
            presented.savedIdentifier != nil
        else { return }
        encodeStructure(reference(to: presented), forKey: ReservedKey.Structure.presented)
    }
}

extension StateDecoder {
    /// Presents the view controller that was presented when the state was saved, if it still exists and is not
    /// presented yet (row 21). If this launch presented another one, such as a log-in screen, that one stays, and the
    /// restored one waits (row 82).
    package func decodePresented(into presenter: any RestorableViewController) {
        guard let presented = child(forKey: ReservedKey.Structure.presented, of: presenter),
            presenter.restorablePresented !== presented
        else { return }
        if let current = presenter.restorablePresented {
            context.wait(WaitingPresentation(presenter: presenter, presented: presented))
            return context.report(
                .notPresented(by: path, instead: ClassName.inArchives(of: current)))
        }
        presenter.restorePresented(presented)
    }

    /// Returns whether no view controller is dropped that presents another, such as a log-in screen of this launch (row
    /// 82). Reports the one that is, since then the container's children stay.
    func keepsPresented(of present: [any RestorableViewController], in restored: [any RestorableViewController]) -> Bool
    {
        for child in present where !restored.contains(where: { $0 === child }) {
            guard let presented = child.restorablePresented else { continue }
            context.report(.notReplaced(path: path, presents: ClassName.inArchives(of: presented)))
            return false
        }
        return true
    }

    /// Returns the view controller that `value` refers to, if it can be a child of `holder`, its container or
    /// presenter. `nil` if it does not exist, or if it contains `holder`, which would form a cycle. An app never saves
    /// a cycle, but an archive from another source may contain one.
    func child(_ value: StateValue, of holder: any RestorableViewController) -> (any RestorableViewController)? {
        guard let child = object(value) as? any RestorableViewController else { return nil }
        if child.restorationParent === holder { return child }
        var next: (any StateRestoring)? = holder
        var visited: Set<ObjectIdentifier> = []
        while let ancestor = next, visited.insert(ObjectIdentifier(ancestor)).inserted {
            if ancestor === child { return nil }
            next = ancestor.restorationParent
        }
        return child.holds(holder) ? nil : child
    }

    /// Returns the view controller to which a saved reference leads, if it can be a child of `holder`.
    package func child(forKey key: String, of holder: any RestorableViewController) -> (any RestorableViewController)? {
        value(forKey: key).flatMap { child($0, of: holder) }
    }
}

extension RestorableViewController {
    /// Returns whether this view controller is `other`, or contains or presents `other` at any depth. Does not follow
    /// restoration parents, because the app may have set a parent other than the container.
    fileprivate func holds(_ other: any RestorableViewController) -> Bool {
        var stack: [any RestorableViewController] = [self]
        var visited: Set<ObjectIdentifier> = []
        while let next = stack.popLast() {
            guard visited.insert(ObjectIdentifier(next)).inserted else { continue }
            if next === other { return true }
            stack += next.restorableChildren
            if let presented = next.restorablePresented { stack.append(presented) }
        }
        return false
    }
}
