package import PlacekeeperArchive

/// A step of a place, cut to the limits of the format. The screen and its items are kept; a title, parameters or
/// progress that do not fit are left out.
package struct FittedStep {
    /// A title, parameter or progress that was left out.
    package struct Omission {
        /// The parameter's name, `title` or `progress`.
        package var name: String
        package var reason: Reason
    }

    /// Why a part was left out.
    package enum Reason: Sendable, Equatable {
        /// An archive cannot hold it.
        case unwritable
        /// The place has no room for it.
        case tooLarge(size: Int)
    }

    /// The step. Nil if an archive cannot hold its screen and its items.
    package var step: Place.Step?
    package var omissions: [Omission] = []

    /// Leaves out everything that an archive cannot hold, then the largest values until the step fits.
    /// - Parameters:
    ///   - step: The step.
    ///   - referenceCount: The number of references in the archive.
    ///   - room: The bytes that the steps before it leave of `Place.maximumSize`.
    package init(_ step: Place.Step, referenceCount: Int, room: Int = Place.maximumSize) {
        var step = step
        if step.title?.hasLongCombiningRun == true {
            step.title = nil
            omissions.append(Omission(name: Self.title, reason: .unwritable))
        }
        if step.progress.map(Place.Step.isProgress) == false {
            step.progress = nil
            omissions.append(Omission(name: "progress", reason: .unwritable))
        }
        for (name, value) in step.parameters.sorted(by: { $0.key < $1.key })
        where !StateMeasure.isWritable([name: value], inPlaceWith: referenceCount) {
            step.parameters[name] = nil
            omissions.append(Omission(name: name, reason: .unwritable))
        }
        var excess = step.size - room
        for (name, size) in Self.sizes(of: step) {
            guard excess > 0 else { break }
            excess -= size
            omissions.append(
                Omission(name: name ?? Self.title, reason: .tooLarge(size: size)))
            if let name { step.parameters[name] = nil } else { step.title = nil }
        }
        guard excess <= 0, !step.screen.hasLongCombiningRun else { return }
        self.step = step
    }

    private static let title = "title"

    /// Returns the sizes of the parameters and the title (whose name is nil), largest first, then by name.
    private static func sizes(of step: Place.Step) -> [(name: String?, size: Int)] {
        let empty = Place.Step(screen: "").size
        var sizes: [(name: String?, size: Int)] = step.parameters.sorted { $0.key < $1.key }.map { name, value in
            (name, Place.Step(screen: "", parameters: [name: value]).size - empty)
        }
        if let title = step.title { sizes.append((nil, title.utf8.count)) }
        return sizes.enumerated().sorted { ($1.element.size, $0.offset) < ($0.element.size, $1.offset) }.map(\.element)
    }
}
