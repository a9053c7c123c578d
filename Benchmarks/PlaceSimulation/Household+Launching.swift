import PlacekeeperClient
import PlacekeeperTesting

// Launches, and the judgment of what the person gets.
extension Household {
    func launch(_ session: Plan.Session, _ index: Int, _ device: VirtualDevice) async {
        let isConnected = devices[index].isOnline && !session.isSlow
        var standing = standing(of: session.person, on: index, isConnected: isConnected)
        let day = day
        var answers: [(name: String, answer: Answer)] = []
        let goal = work[session.person]?.spot
        for rival in rivals.indices {
            let screen = rivals[rival].launch(
                Seat(device: index, person: session.person), on: devices[index].plan.model, devices[index].release,
                isOnline: isConnected)
            let name = type(of: rivals[rival]).name
            if devices[index].ownByRivals[rival].isBehind(screen?.spot, of: session.person) {
                tally.movesBack[name, default: 0] += 1
            }
            devices[index].ownByRivals[rival].add(screen?.spot, of: session.person)
            devices[index].shownByRivals[rival] = screen ?? Screen()
            let answer: Answer = screen.map { goal != nil && $0.spot == goal ? .restored : .wrong } ?? .nothing
            answers.append((name, answer))
        }
        let scene = device.placekeeper.scene()
        if session.isSlow, devices[index].isOnline { device.network.fault = .slow(.seconds(3)) }
        let launch = await service.advancingClock {
            if session.leavesView {
                let view = Task { await scene.launch() }
                view.cancel()
                _ = await view.value
            }
            return await scene.launch()
        }
        device.network.fault = devices[index].isOnline ? nil : .offline
        if isConnected { deliver(index) }
        // The person dismissed an offer of a place behind in the same book.
        if standing == .known, launch.reason.code == .behind, launch.restore?.archive.screen.spot != goal {
            standing = .dismissed
        }
        for (name, answer) in answers { tally.add(name, standing, answer, day: day) }
        judge(launch, standing, session, index)
        countMoveBack(launch, session.person, index)
        devices[index].launchedAt = now
        devices[index].shown = launch.restore?.archive.screen ?? Screen()
        devices[index].hasPlace = launch.restore != nil
        if let served = launch.restore { scene.report(.restored, of: served) }
        if let offer = launch.offer { await answer(offer, session, index, scene) }
    }

    /// Counts a launch that restores, without asking, another device's page that is further back than the own page.
    private func countMoveBack(_ launch: Launch, _ person: Int, _ index: Int) {
        let spot = launch.restore?.archive.screen.spot
        if devices[index].own.isBehind(spot, of: person) {
            tally.movesBack[Tally.placekeeper, default: 0] += 1
            trace("the launch moves the person back without asking")
        }
        devices[index].own.add(spot, of: person)
    }

    private func standing(of person: Int, on index: Int, isConnected: Bool) -> Standing {
        guard let work = work[person] else { return .noWork }
        if work.device == index { return .known }
        if !isConnected { return .noConnection }
        if devices[index].plan.signsInLate || devices[work.device].plan.signsInLate { return .notSignedIn }
        if !work.isSent { return .notSent }
        guard work.saved.isRestorable(on: devices[index].plan.model, devices[index].release) else {
            return .notRestorable
        }
        return work.dismissedOn.contains(index) ? .dismissed : .known
    }

    private func judge(_ launch: Launch, _ standing: Standing, _ session: Plan.Session, _ index: Int) {
        let goal = work[session.person]?.spot
        let restored = launch.restore?.archive.screen
        let offered = launch.offer.map { Screen(titles: $0.place.titles) }
        let answer: Answer =
            if goal != nil, restored?.spot == goal {
                .restored
            } else if goal != nil, offered?.spot == goal {
                .offered
            } else { restored == nil && offered == nil ? .nothing : .wrong }
        tally.add(Tally.placekeeper, standing, answer, day: day)
        let text =
            "person \(session.person) launches \(name(of: index)): \(launch.reason.code.rawValue), restores "
            + "\(restored.map { "\($0)" } ?? "nothing"), offers \(offered.map { "\($0)" } ?? "nothing"), "
            + "last work \(goal.map { "\($0)" } ?? "none") on device \(work[session.person]?.device ?? -1)"
        trace(text + ": \(standing), \(answer)")
        guard standing == .known, answer == .wrong || answer == .nothing, let work = work[session.person] else {
            return
        }
        let cause = work.cause(shares: sharesRegistration(index) || sharesRegistration(work.device))
        tally.cases.append(.init(cause: cause, user: user, day: day, device: index, text: text))
    }

    /// The person takes, dismisses or ignores an offer.
    private func answer(_ offer: Placekeeper.Offer, _ session: Plan.Session, _ index: Int, _ scene: KeptScene) async {
        let isGoal = Screen(titles: offer.place.titles).spot == work[session.person]?.spot
        let isWorking = session.steps.contains { if case .work = $0.action { true } else { false } }
        let chance = random.fraction()
        if isGoal, chance < (isWorking ? 0.85 : 0.3) {
            guard let served = try? await scene.take(offer) else { return }
            scene.report(.restored, of: served)
            (devices[index].shown, devices[index].hasPlace) = (served.archive.screen, true)
            devices[index].own.add(served.archive.screen.spot, of: session.person)
            trace("the person takes the offer")
        } else if chance > (isGoal ? 0.9 : 0.5) {
            scene.dismiss(offer)
            if isGoal { work[session.person]?.dismissedOn.insert(index) }
            trace("the person dismisses the offer")
        }
    }

    /// Whether a device was restored from a backup with the client's files, or is the original of such a device.
    private func sharesRegistration(_ index: Int) -> Bool {
        plan.devices.enumerated().contains { number, device in
            device.hasFilesOfOriginal && (number == index || device.original == index)
        }
    }
}
