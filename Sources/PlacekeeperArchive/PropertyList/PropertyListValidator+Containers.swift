extension PropertyListValidator {
    /// Validates the references and keys of all containers, and rejects cycles and containers nested too deeply.
    ///
    /// The height of a container is the number of levels in it, including its own. Writers usually put containers
    /// before their content, so validation goes backward: when it reaches a container, it usually knows the heights of
    /// its elements. Otherwise the container is searched later.
    mutating func validateContainers() throws(ArchiveError) {
        // Local copies, which the compiler can keep in registers while `self` changes.
        let (view, marks, width) = (view, marks, view.geometry.referenceWidth)
        var needsSearch = false
        for object in (0..<view.geometry.objectCount).reversed() where marks[Int(object)] == Mark.container {
            let offset = view.offset(of: object)
            let (start, count) = view.extent(at: offset)
            var position = start
            meter.consume(count)
            if view.byte(at: offset) >> 4 == 0xD {
                keys.beginDictionary()
                for _ in 0..<count {
                    let key = try Self.reference(at: position, in: view)
                    guard marks[Int(key)] == Mark.string else { throw ArchiveError(.keyNotString, at: position) }
                    guard keys.insert(key, in: view) else { throw ArchiveError(.duplicateKey, at: position) }
                    position += width
                }
            }
            var greatest = Mark.container
            var isKnown = true
            for _ in 0..<count {
                let mark = marks[Int(try Self.reference(at: position, in: view))]
                if mark == Mark.container { isKnown = false }
                greatest = max(greatest, mark)
                position += width
            }
            if isKnown {
                try setHeight(of: object, above: greatest, at: offset)
            } else {
                needsSearch = true
            }
        }
        if needsSearch { try searchContainers() }
    }

    @inline(__always)
    private static func reference(at position: Int, in view: PropertyListView) throws(ArchiveError) -> UInt32 {
        let reference = view.statedReference(at: position)
        guard reference < UInt64(view.geometry.objectCount) else { throw ArchiveError(.reference, at: position) }
        return UInt32(truncatingIfNeeded: reference)
    }

    @inline(__always)
    private func setHeight(of object: UInt32, above greatest: UInt8, at offset: Int) throws(ArchiveError) {
        guard Int(greatest - Mark.container) < limits.maximumDepth else { throw ArchiveError(.tooDeep, at: offset) }
        marks[Int(object)] = greatest + 1
    }

    /// Finds the unknown heights, depth first and without recursion. Each container is entered once. A chain of
    /// containers that exceeds the maximum depth is rejected, so `path` stays short.
    private mutating func searchContainers() throws(ArchiveError) {
        var path: [Step] = []
        for object in 0..<view.geometry.objectCount where marks[Int(object)] == Mark.container {
            try enter(object, &path)
            while var step = path.popLast() {
                if step.position == step.end {
                    try setHeight(of: step.object, above: step.greatest, at: view.offset(of: step.object))
                    continue
                }
                meter.consume(1)
                let child = view.reference(at: step.position)
                switch marks[Int(child)] {
                case Mark.entered:
                    throw ArchiveError(.containerCycle, at: step.position)
                case Mark.container:
                    // Keep the step's position. When the search returns to this step, the child's height is known.
                    path.append(step)
                    try enter(child, &path)
                case let mark:
                    step.greatest = max(step.greatest, mark)
                    step.position += view.geometry.referenceWidth
                    path.append(step)
                }
            }
        }
    }

    private func enter(_ object: UInt32, _ path: inout [Step]) throws(ArchiveError) {
        let offset = view.offset(of: object)
        guard path.count < limits.maximumDepth else { throw ArchiveError(.tooDeep, at: offset) }
        let (start, count) = view.extent(at: offset)
        let references = view.byte(at: offset) >> 4 == 0xD ? 2 * count : count
        marks[Int(object)] = Mark.entered
        path.append(
            Step(object: object, position: start, end: start + references * view.geometry.referenceWidth))
    }

    private struct Step {
        var object: UInt32
        /// The position of the next reference to follow.
        var position: Int
        var end: Int
        var greatest = Mark.container
    }
}
