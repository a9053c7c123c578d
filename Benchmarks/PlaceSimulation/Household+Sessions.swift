import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting

// The sessions of the people.
extension Household {
    func play(_ session: Plan.Session) async throws {
        let index = session.device
        // A device that is restored from a backup later does not exist yet.
        guard let device = devices[index].device, exists(index) else { return }
        if devices[index].person != session.person {
            guard try await change(to: session.person, on: index, device) else { return }
        }
        if !devices[index].isSuspended {
            end(index)
            await launch(session, index, device)
        } else {
            trace("person \(session.person) continues on \(name(of: index)) with \(devices[index].shown)")
        }
        let scene = device.placekeeper.scene()
        for step in session.steps {
            await service.advance(by: step.after)
            if devices[index].isOnline { deliver(index) }
            if step.action == .leave {
                await leave(session.person, index, device, scene)
            } else {
                take(step.action, session.person, index, scene)
            }
            try await signInLate(index, device)
        }
        await finish(session, index, device, scene)
    }

    /// The person signs in after the first work on a device. The work goes along.
    private func signInLate(_ index: Int, _ device: VirtualDevice) async throws {
        guard devices[index].plan.signsInLate, devices[index].isOnline, devices[index].hasWorked else { return }
        try await signIn(devices[index].person, on: device)
        devices[index].plan.signsInLate = false
        deliver(index)
        trace("the person signs in")
    }

    /// Notes that a process died soon after its launch. Two deaths in a quarter of an hour, or three, are a crash.
    private func noteDeath(of person: Int, _ index: Int) {
        let launchedAt = devices[index].launchedAt
        guard now - launchedAt < 30 else {
            devices[index].deaths = []
            return
        }
        let deaths = devices[index].deaths + [launchedAt]
        devices[index].deaths = deaths
        guard let earlier = deaths.dropLast().last, deaths.count > 2 || launchedAt - earlier <= 900 else { return }
        work[person]?.followers.insert(.diedRepeatedly)
    }

    private func exists(_ index: Int) -> Bool {
        guard devices[index].plan.original != nil else { return true }
        return plan.events.contains { event in
            if case .restoreBackup(index) = event.kind { event.at <= now } else { false }
        }
    }

    private func finish(_ session: Plan.Session, _ index: Int, _ device: VirtualDevice, _ scene: KeptScene) async {
        devices[index].isSuspended = false
        if session.ending == .killed {
            await service.settle()
            trace("the process ends")
            noteDeath(of: session.person, index)
            return end(index)
        }
        await service.advance(by: session.rest)
        if now - devices[index].launchedAt >= 30 { devices[index].deaths = [] }
        await leave(session.person, index, device, scene)
        if session.ending == .suspended, devices[index].isOnline {
            devices[index].isSuspended = true
        } else {
            end(index)
        }
    }

    /// The app goes to the background: it saves without an interaction, and sends.
    private func leave(_ person: Int, _ index: Int, _ device: VirtualDevice, _ scene: KeptScene) async {
        if devices[index].isOnline { deliver(index) }
        save(.viewing, person, index, scene)
        try? await device.placekeeper.flush()
        if devices[index].isOnline { deliver(index) }
        devices[index].hasWorked = false
        trace("the app goes to the background")
    }

    /// Signs the person out, and another person in. Returns false if the device has no connection.
    private func change(to person: Int, on index: Int, _ device: VirtualDevice) async throws -> Bool {
        guard devices[index].isOnline else { return false }
        end(index)
        for rival in rivals.indices {
            rivals[rival].sync(
                Seat(device: index, person: devices[index].person), on: devices[index].plan.model,
                devices[index].release)
        }
        try await device.placekeeper.signOut(unsent: .send(within: .seconds(30)))
        deliver(index)
        try await signIn(person, on: device)
        devices[index].person = person
        trace("person \(person) signs in on \(name(of: index))")
        return true
    }

    private func take(_ action: Plan.Action, _ person: Int, _ index: Int, _ scene: KeptScene) {
        switch action {
        case .work(let spot):
            show(Screen(spot: spot), on: index)
            keep(spot, of: person, on: index)
            (devices[index].hasWorked, devices[index].hasPlace) = (true, true)
            work[person] = Work(saved: saved(Screen(spot: spot), index), device: index, at: now)
            if plan.notesInteractions { scene.noteInteraction() }
            save(plan.notesInteractions ? .viewing : .now, person, index, scene)
        case .scroll(let distance):
            devices[index].shown.scroll += distance
            for rival in rivals.indices { devices[index].shownByRivals[rival].scroll += distance }
            save(.viewing, person, index, scene)
        case .open(let spot):
            show(Screen(spot: spot), on: index)
            // A state that is saved after work is the newest own state. A rival keeps each state.
            if devices[index].hasWorked { devices[index].own.add(spot, of: person) }
            for rival in rivals.indices { devices[index].ownByRivals[rival].add(spot, of: person) }
            save(.viewing, person, index, scene)
        case .leave: break
        }
        trace("\(action)")
    }

    private func show(_ screen: Screen, on index: Int) {
        devices[index].shown = screen
        for rival in rivals.indices { devices[index].shownByRivals[rival] = screen }
    }

    /// Notes a place that the device now has as its own.
    private func keep(_ spot: Spot, of person: Int, on index: Int) {
        devices[index].own.add(spot, of: person)
        for rival in rivals.indices { devices[index].ownByRivals[rival].add(spot, of: person) }
    }

    private func saved(_ screen: Screen, _ index: Int) -> Saved {
        Saved(screen: screen, release: devices[index].release, model: devices[index].plan.model)
    }

    private func save(_ interaction: Placekeeper.Interaction, _ person: Int, _ index: Int, _ scene: KeptScene) {
        let seating = devices[index]
        if !seating.hasPlace { work[person]?.followers.insert(.nothingRestored) }
        if seating.hasWorked, seating.shown.spot != work[person]?.spot {
            work[person]?.followers.insert(.viewOnlyCaptureAfterWork)
        }
        scene.save(StateArchive(seating), interaction: interaction)
        for rival in rivals.indices {
            rivals[rival].save(
                saved(seating.shownByRivals[rival], index), at: Seat(device: index, person: person),
                wall: service.clock.seconds + seating.plan.clockError)
        }
    }
}
