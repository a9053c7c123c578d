extension Placekeeper {
    /// A part of a scene's state that was not saved or not sent, because of a filter or a limit.
    public struct Omission: Sendable, Hashable {
        /// Why a part was left out.
        public struct Reason: RawRepresentable, Sendable, Hashable {
            /// The reason, in kebab case.
            public var rawValue: String
            /// Creates a reason.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The value's name is on the deny-list.
            public static let denied = Reason(rawValue: "denied")
            /// The part is larger than the format or the service allows.
            public static let tooLarge = Reason(rawValue: "too-large")
            /// The format does not support the value.
            public static let unwritable = Reason(rawValue: "unwritable")
            /// Only this device keeps the part. The service has just the place and the references.
            public static let notSent = Reason(rawValue: "not-sent")
        }

        /// The name of the scene.
        public var scene: String
        /// The step of the place to which the part belongs, if any.
        public var screen: String?
        /// The name of the part: the key of a value or of items, the name of a parameter, or `title`, `webAddress`,
        /// `steps`, `snapshot` or `state`.
        public var name: String
        /// The reason.
        public var reason: Reason

        package init(scene: String, screen: String? = nil, name: String, reason: Reason) {
            self.scene = scene
            self.screen = screen
            self.name = name
            self.reason = reason
        }
    }
}

extension Placekeeper.Omission: CustomStringConvertible {
    /// A sentence for the app's developers.
    public var description: String {
        let part = "\"\(name)\"" + (screen.map { " of the step \"\($0)\"" } ?? "")
        return "The scene \(scene) leaves out \(part): \(explanation)."
    }

    private var explanation: String {
        switch reason {
        case .denied: "its name denotes a secret. If it is none, rename it"
        case .tooLarge: "it is too large"
        case .unwritable: "it cannot be saved"
        case .notSent: "it is too large to send. The service has the place and the references"
        default: reason.rawValue
        }
    }
}

extension Placekeeper.Omission: Comparable {
    /// Orders omissions by scene, screen and name.
    public static func < (left: Self, right: Self) -> Bool { left.order.lexicographicallyPrecedes(right.order) }

    private var order: [String] { [scene, screen ?? "", name, reason.rawValue] }
}

// The omissions of the scenes' newest states.
extension ClientCore {
    /// Replaces the omissions from before the client received a scene's newest state.
    func note(_ omissions: Set<Placekeeper.Omission>, in scene: String) {
        for omission in omissions.subtracting(self.omissions[scene] ?? []).sorted() {
            DeveloperLog.write(omission.description)
        }
        self.omissions[scene] = omissions.isEmpty ? nil : omissions
    }

    /// Records whether the client left a part out of a scene's newest state.
    func note(_ isOmitted: Bool, _ name: String, _ reason: Placekeeper.Omission.Reason, in scene: String) {
        let omission = Placekeeper.Omission(scene: scene, name: name, reason: reason)
        if !isOmitted {
            ownOmissions.remove(omission)
        } else if ownOmissions.insert(omission).inserted {
            DeveloperLog.write(omission.description)
        }
    }

    /// Replaces the omissions from the steps of a scene's newest place.
    func noteSteps(_ omissions: Set<Placekeeper.Omission>, in scene: String) {
        for omission in omissions.subtracting(ownOmissions).sorted() { DeveloperLog.write(omission.description) }
        ownOmissions = ownOmissions.filter { $0.scene != scene || $0.screen == nil }.union(omissions)
    }

    /// All omissions, sorted.
    var allOmissions: [Placekeeper.Omission] { omissions.values.reduce(ownOmissions) { $0.union($1) }.sorted() }
}

extension KeptScene {
    /// Records what was left out of the scene's newest state before the client received it.
    package func note(_ omissions: Set<Placekeeper.Omission>) {
        placekeeper.engine.perform { [name] core, _ in core.note(omissions, in: name) }
    }
}
