import PlacekeeperModels

/// The decision of a launch: which state to restore without asking, and which to offer.
///
/// A pure function of the newest state on this device and the service's answer. A state of this device is restored
/// silently, and a state of another device is offered. A superseded state is never restored without asking.
struct LaunchDecision {
    /// The newest state on this device.
    struct Local {
        var served: Served
        /// Whether the service has not acknowledged the state yet.
        var isPending: Bool
        /// The archive of another device of which this state is a copy or a view-only capture.
        var origin: String?
        /// The age of the user's last interaction before the capture, in seconds.
        var age: Double?
        /// Why the state is only offered. `nil` if it may be restored, and for a state that the service does not know.
        var caution: Placekeeper.Reason?
    }

    /// The service's answer.
    indirect enum Remote {
        case served(LatestAnswer)
        /// The service would serve the newest state on this device. For the caution, see `LatestAnswer`.
        case notModified(isSuperseded: Bool, caution: Placekeeper.Reason? = nil)
        /// The service stores no state of the scene.
        case nothingStored
        /// None of the stored states may be restored here.
        case incompatible(Placekeeper.Reason)
        /// The service did not answer in time.
        case unavailable(Placekeeper.Reason)
        /// The launch does not wait for the service.
        case notAsked

        /// The answer, unless it is an archive that this version of the app does not restore again.
        func without(_ refused: Set<String>) -> Remote {
            guard case .served(let answer) = self, refused.contains(answer.served.id) else { return self }
            return .incompatible(.init(.crashed))
        }
    }

    var restore: Served?
    var offer: LatestAnswer?
    var reason: Placekeeper.Reason

    /// - Parameters:
    ///   - isUnused: whether the scene was never used on this device.
    ///   - hasCrashedOften: whether this version of the app crashed in earlier restores. If so, it only offers states.
    ///   - isDismissed: whether the user dismissed the offer of an archive on this device.
    ///   - isWithheld: whether an archive of another device is not offered, because it is behind the newest state on
    ///     this device.
    ///   - localFault: why the newest state on this device, if there is one, may not be restored.
    init(
        local: Local?, localFault: Placekeeper.Reason?, remote: Remote, mode: ClientCore.Mode, isUnused: Bool,
        hasCrashedOften: Bool, isDismissed: (String) -> Bool, isWithheld: (Served) -> Bool = { _ in false }
    ) {
        if mode == .off {
            self.init(reason: .init(.restorationOff))
            return
        }
        switch remote {
        case .notAsked where local?.caution != nil, .unavailable where local?.caution != nil:
            self.init(
                local.map { LatestAnswer(served: $0.served) }, local, local?.caution ?? .init(.crashed), isDismissed)
        case .notAsked: self.init(restore: local?.served, reason: localFault ?? .init(.ownState))
        case .unavailable(let reason):
            self.init(restore: local?.served, reason: local == nil ? localFault ?? reason : reason)
        case .nothingStored:
            // If the service deleted the state, this device does not restore it either. A pending state is restored,
            // because the service has never received it.
            let isUnknown = local?.isPending == true
            self.init(
                restore: isUnknown ? local?.served : nil,
                reason: isUnknown ? .init(.ownState) : localFault ?? .init(.nothingStored))
        case .incompatible(let reason):
            // Likewise, a pending state is restored, and a state that the service refused is not. The reason is the
            // refusal, because a refused state may be newer than the pending one.
            let isUnknown = local?.isPending == true
            self.init(restore: isUnknown ? local?.served : nil, reason: isUnknown ? reason : localFault ?? reason)
        case .notModified(_, let caution?):
            self.init(local.map { LatestAnswer(served: $0.served) }, local, caution, isDismissed)
        case .notModified(let isSuperseded, nil):
            self.init(restore: local?.served, reason: localFault ?? .init(isSuperseded ? .superseded : .ownState))
        case .served(let answer):
            self.init(
                answer, local, localFault, mode, isUnused, isDismissed(answer.served.id), isWithheld)
        }
        if mode == .offer || hasCrashedOften, let state = restore {
            if offer == nil, !isDismissed(state.id) { offer = LatestAnswer(served: state) }
            (restore, reason) = (nil, .init(mode == .offer ? .restorationOffered : .crashed))
        }
    }

    private init(
        _ answer: LatestAnswer, _ local: Local?, _ localFault: Placekeeper.Reason?, _ mode: ClientCore.Mode,
        _ isUnused: Bool, _ isDismissed: Bool, _ isWithheld: (Served) -> Bool
    ) {
        if let caution = answer.caution, local?.isPending != true || local?.isViewOnly(at: answer.served) == true {
            self.init(answer, local, caution) { _ in isDismissed }
        } else if answer.served.isOwn, !answer.isSuperseded {
            // A pending state is newer than every state of this device on the service. So is a view-only capture of the
            // served place.
            let isNewer = local.map { $0.isPending || $0.isViewOnly(at: answer.served) } ?? false
            self.init(restore: isNewer ? local?.served : answer.served, reason: .init(.ownState))
        } else if isUnused, !answer.isSuperseded, !isDismissed, mode == .auto {
            self.init(restore: answer.served, reason: .init(.freshInstallation))
        } else if isDismissed || (local.map { $0.shows(answer.served.id) } ?? false) {
            let reason = Placekeeper.Reason(answer.isSuperseded ? .superseded : .alreadyOffered)
            self.init(restore: local?.served, reason: localFault ?? reason)
        } else {
            let isPassedOver = local.map { $0.isPassedOver(by: answer) } ?? false
            let restored = isPassedOver || local?.caution != nil ? nil : local?.served
            if let restored, isWithheld(answer.served) {
                self.init(restore: restored, reason: .init(.behind))
                return
            }
            self.init(
                restore: restored, offer: answer,
                reason: .init(answer.isSuperseded ? .superseded : .otherDevice))
        }
    }

    /// Offers a state of this device instead of restoring it.
    private init(
        _ answer: LatestAnswer?, _ local: Local?, _ caution: Placekeeper.Reason, _ isDismissed: (String) -> Bool
    ) {
        self.init(reason: caution)
        guard var answer, !isDismissed(answer.served.id) else { return }
        if let local, local.shows(answer.served.id) { answer.age = answer.age ?? local.age }
        offer = answer
    }

    private init(restore: Served? = nil, offer: LatestAnswer? = nil, reason: Placekeeper.Reason) {
        self.restore = restore
        self.offer = offer
        self.reason = reason
    }
}

extension LaunchDecision.Local {
    /// Whether the service knows the state and refuses to let this device restore it.
    func isRefused(by remote: LaunchDecision.Remote) -> Bool {
        switch remote {
        case .served(let answer): isPassedOver(by: answer)
        case .incompatible, .nothingStored: !isPending
        case .notModified, .unavailable, .notAsked: false
        }
    }

    /// The ids of the state's own archive and of its origin.
    var archives: [String] { [served.id] + (origin.map { [$0] } ?? []) }

    /// Whether the state is this archive, a copy of it, or a view-only capture of it.
    func shows(_ archive: String) -> Bool { archives.contains(archive) }

    /// Whether the state is a view-only capture of an archive's place.
    fileprivate func isViewOnly(at other: Served) -> Bool {
        origin == other.id && served.archive.isAtPlace(of: other.archive)
    }

    /// Whether the service refused the state and served an earlier archive instead.
    ///
    /// A view-only capture is ordered with the archive that it shows. A state with a later revision is not passed over
    /// if its last interaction is older than that of the served archive.
    fileprivate func isPassedOver(by answer: LatestAnswer) -> Bool {
        guard !isPending, answer.isSuperseded, served.id != answer.served.id else { return false }
        guard let own = served.origin?.revision ?? served.revision, let other = answer.served.revision else {
            return answer.served.isOwn
        }
        if own == answer.head { return true }
        guard own > other else { return false }
        guard let age, let otherAge = answer.age else { return true }
        return age <= otherAge
    }
}

/// The archive that the service served for a launch.
struct LatestAnswer {
    var served: Served
    /// Whether there is a newer archive that may not be restored here.
    var isSuperseded: Bool
    /// Why the archive is only offered (the field `Placekeeper-Caution` of the response).
    var caution: Placekeeper.Reason?
    /// The age of the user's last interaction before the capture, in seconds, if known.
    var age: Double?
    /// The revision of the scene's newest archive, if known. The served archive may be older.
    var head: Int64?

    /// - Parameter superseded: The field `Placekeeper-Superseded` of the response: the revision of the head, and an
    ///   age.
    init(served: Served, superseded: String? = nil, caution: String? = nil) {
        self.served = served
        self.caution = caution.map { .init(.init(rawValue: $0)) }
        isSuperseded = superseded != nil
        head = superseded.map { $0.split(separator: ";").first.flatMap { Int64($0) } } ?? served.revision
    }
}
