import StateRestoration

/// The choice of a launch: the state that is restored without asking, and the state that is offered.
///
/// A pure function of the newest state on this device and the service's answer. A state of this device is restored
/// silently, and a state of another device is offered. A state that is superseded is never restored by itself.
struct LaunchDecision {
    /// The newest state on this device.
    struct Local {
        var served: Served
        /// Whether the service has not acknowledged the state yet.
        var isPending: Bool
    }

    /// The service's answer.
    indirect enum Remote {
        case served(LatestAnswer)
        /// The service would serve the newest state on this device.
        case notModified(isSuperseded: Bool)
        /// The service stores no state of the scene.
        case nothingStored
        /// No stored state may be restored here.
        case incompatible(Launch.Reason)
        /// The service did not answer in time.
        case unavailable(Launch.Reason)

        /// The answer, without an archive whose restore crashed, or that the person discarded.
        func without(_ crashed: [String]) -> Remote {
            guard case .served(let answer) = self, crashed.contains(answer.served.id) else { return self }
            return .incompatible(.init(.crashed))
        }
    }

    var restore: Served?
    var offer: LatestAnswer?
    var reason: Launch.Reason

    /// - Parameters:
    ///   - isUnused: whether the scene was never used on this device.
    ///   - hasSeen: whether a state was taken, dismissed or restored on this device.
    ///   - localFault: the reason why the newest state on this device may not be restored, if there is such a state.
    init(
        local: Local?, localFault: Launch.Reason?, remote: Remote, mode: ClientCore.Mode, isUnused: Bool,
        hasSeen: (String) -> Bool
    ) {
        if mode == .off {
            self.init(reason: .init(.restorationOff))
            return
        }
        switch remote {
        case .unavailable(let reason):
            self.init(restore: local?.served, reason: local == nil ? localFault ?? reason : reason)
        case .nothingStored, .incompatible:
            // A state that the service refused or forgot is not restored from this device either. The service does not
            // know a state that it has not received.
            let isUnknown = local?.isPending == true
            let refusal: Launch.Reason =
                if case .incompatible(let reason) = remote { reason } else { .init(.nothingStored) }
            self.init(
                restore: isUnknown ? local?.served : nil,
                reason: isUnknown ? .init(.ownState) : localFault ?? refusal)
        case .notModified(let isSuperseded):
            guard let local, !isSuperseded else {
                self.init(reason: localFault ?? .init(.superseded))
                return
            }
            self.init(restore: local.served, reason: .init(.ownState))
        case .served(let answer): self.init(answer, local, localFault, mode, isUnused, hasSeen(answer.served.id))
        }
        if mode == .offer, restore != nil {
            (restore, reason) = (nil, .init(.restorationOffered))
        }
    }

    private init(
        _ answer: LatestAnswer, _ local: Local?, _ localFault: Launch.Reason?, _ mode: ClientCore.Mode,
        _ isUnused: Bool, _ hasSeen: Bool
    ) {
        if answer.served.isOwn, !answer.isSuperseded {
            // A state that the service has not received is newer than each state of this device that it has.
            let newest = local.map { $0.isPending ? $0.served : answer.served } ?? answer.served
            self.init(restore: newest, reason: .init(.ownState))
        } else if isUnused, !answer.isSuperseded, mode == .auto {
            self.init(restore: answer.served, reason: .init(.freshInstallation))
        } else if hasSeen {
            self.init(restore: local?.served, reason: localFault ?? .init(.alreadyOffered))
        } else {
            self.init(
                restore: local?.served, offer: answer,
                reason: .init(answer.isSuperseded ? .superseded : .otherDevice))
        }
    }

    private init(restore: Served? = nil, offer: LatestAnswer? = nil, reason: Launch.Reason) {
        self.restore = restore
        self.offer = offer
        self.reason = reason
    }
}

/// The archive that the service served for a launch.
struct LatestAnswer {
    var served: Served
    /// Whether a newer archive exists that may not be restored here.
    var isSuperseded: Bool
}
