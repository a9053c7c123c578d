#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Represents an object that is neither a view controller nor a view (seed rows 34 to 36).
    final class ObjectStandIn: StandIn {
        private var object: (any UIStateRestoring)? { represented as? any UIStateRestoring }

        override var restorationParent: (any StateRestoring)? {
            object.flatMap { OptionalMethods.restorationParent(of: $0) }.flatMap { StandIns.of($0) }
        }
        override var restorationClass: (any RestorationClass.Type)? {
            object.flatMap { OptionalMethods.restorationClass(of: $0) }.map { AppRestorationClasses.of($0) }
        }

        override func encodeRestorableState(with coder: StateEncoder) {
            guard let object else { return }
            OptionalMethods.encode(object, with: RestorationCoder(forApp: coder))
        }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            guard let object else { return }
            let coder = RestorationCoder(forApp: coder)
            OptionalMethods.decode(object, with: coder)
            try coder.check()
        }
        override func applicationFinishedRestoringState() {
            if let object { OptionalMethods.finish(object) }
        }
    }
#endif
