package import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A screen with two effects side by side. Both effects have the restoration identifier "Filter". The restoration
/// parent of each effect is its side, so the two restoration paths differ.
@MainActor
package final class ComparisonScreen: ViewController {
    package let left = ComparisonSide("Left")
    package let right = ComparisonSide("Right")

    package override init() {
        super.init()
        restorationIdentifier = "Comparison"
        title = "Compare"
    }

    package override var restorableChildren: [any RestorableViewController] { [left, right] }
}

/// One side of a comparison.
@MainActor
package final class ComparisonSide: ViewController {
    package private(set) var filter: Filter?

    init(_ side: String) {
        super.init()
        restorationIdentifier = side
    }

    /// Applies an effect to this side.
    package func apply(amount: Double) {
        let filter = Filter("Filter", in: self)
        filter.amount = amount
        self.filter = filter
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(filter, forKey: "filter")
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        filter = coder.decodeObject(forKey: "filter")
        filter?.restorationParent = self
    }
}
