import PlacekeeperTesting

extension Plan {
    static let day = 86_400.0

    /// Makes the plan of a user. The same seed gives the same plan.
    init(seed: UInt64, user: Int, days: Int, isRestless: Bool = false, isRereading: Bool = false) {
        var maker = PlanMaker(random: SeededRandom(seed &* 0x9E37_79B9 &+ UInt64(user) &* 0xBF58_476D_1CE4_E5B9))
        maker.plan.isRereading = isRereading
        maker.make(days: days)
        // Restless people do the same as others, and more.
        if isRestless { maker.addRestlessness(days: days) }
        self = maker.plan
    }
}

/// Makes a plan from random numbers. Its constants are the assumptions that docs/right-place.md lists.
private struct PlanMaker {
    var random: SeededRandom
    var plan = Plan()
    private var readers: [Reader] = []

    init(random: SeededRandom) { self.random = random }

    /// The pages that a person has reached.
    private struct Reader {
        var book = 0
        var pages = [Int](repeating: 1, count: 6)
    }

    mutating func make(days: Int) {
        makeDevices(days: days)
        readers = Array(repeating: Reader(), count: plan.people)
        makeReleases(days: days)
        for device in plan.devices.indices { makeFaults(of: device, days: days) }
        for day in 0..<days {
            for person in 0..<plan.people { makeSessions(of: person, day) }
        }
        sortEvents()
    }

    private mutating func sortEvents() {
        // Events of one time keep the order in which they were made.
        plan.events = plan.events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// Late sign-ins, an update of the app for each week, and views that go away while they launch.
    mutating func addRestlessness(days: Int) {
        if plan.hasAccounts, plan.people == 1 {
            for device in plan.devices.indices { plan.devices[device].signsInLate = random.happens(0.5) }
        }
        for index in plan.events.indices {
            guard case .session(var session) = plan.events[index].kind else { continue }
            session.leavesView = random.happens(0.1)
            plan.events[index].kind = .session(session)
        }
        for week in 0..<days / 7 {
            for device in plan.devices.indices {
                plan.events.append(
                    .init(
                        at: (Double(week) + random.fraction()) * 7 * Plan.day,
                        kind: .patch(device: device, number: week + 1)))
            }
        }
        sortEvents()
    }

    // MARK: - Devices

    private mutating func makeDevices(days: Int) {
        plan.devices = [Plan.Device(model: .phone, person: 0)]
        if random.happens(0.6) { plan.devices.append(.init(model: .pad, person: 0)) }
        if random.happens(0.3) { plan.devices.append(.init(model: .mac, person: 0)) }
        plan.hasAccounts = random.happens(0.5)
        if plan.hasAccounts, plan.devices.contains(where: { $0.model == .pad }), random.happens(0.4) {
            plan.people = 2
            plan.devices.append(.init(model: .phone, person: 1))
        }
        if random.happens(0.2), days >= 4 {
            let clone = plan.devices.count
            plan.devices.append(
                .init(model: .phone, person: 0, original: 0, hasFilesOfOriginal: random.happens(0.5)))
            let restored = random.fraction() * Double(days) * 0.6 + 0.15 * Double(days)
            plan.events.append(.init(at: (restored - random.fraction()) * Plan.day, kind: .backup(device: clone)))
            plan.events.append(.init(at: restored * Plan.day, kind: .restoreBackup(device: clone)))
        }
        plan.notesInteractions = random.happens(0.5)
        for index in plan.devices.indices where random.happens(0.25) {
            plan.devices[index].clockError = clockError()
        }
    }

    private mutating func clockError() -> Double {
        let sign = random.happens(0.5) ? 1.0 : -1.0
        let size = [300.0, 300, 3600, 3600, Plan.day, 10 * Plan.day][random.below(6)]
        return sign * size * (0.2 + random.fraction())
    }

    private mutating func makeReleases(days: Int) {
        let usesStateVersions = random.happens(0.5)
        plan.release.stateVersion = usesStateVersions ? 1 : nil
        var release = plan.release
        var updated = [Double](repeating: 0, count: plan.devices.count)
        for number in 0..<3 {
            release.bundleVersion += 1
            if usesStateVersions, number == 1 { release.stateVersion = 2 }
            let released = (Double(number) + 0.5) / 3 * Double(days)
            for device in plan.devices.indices {
                // A device gets no update before its earlier update.
                updated[device] = max(updated[device], released + random.fraction() * random.fraction() * 10)
                guard updated[device] < Double(days) else { continue }
                plan.events.append(
                    .init(at: updated[device] * Plan.day, kind: .update(device: device, release)))
            }
        }
    }

    private mutating func makeFaults(of device: Int, days: Int) {
        var day = 0.0
        while true {
            day += 2 + random.fraction() * 12
            // Mostly hours, and sometimes two days.
            let hours = random.happens(0.8) ? 0.5 + random.fraction() * 8 : 8 + random.fraction() * 40
            let end = day + hours / 24
            guard end < Double(days) else { break }
            plan.events.append(.init(at: day * Plan.day, kind: .connection(device: device, isOnline: false)))
            plan.events.append(.init(at: end * Plan.day, kind: .connection(device: device, isOnline: true)))
            if random.happens(0.5) {
                plan.events.append(.init(at: end * Plan.day + 60, kind: .wake(device: device)))
            }
            day = end
        }
        if random.happens(0.1) {
            let error = random.happens(0.5) ? 0 : clockError()
            plan.events.append(
                .init(at: random.fraction() * Double(days) * Plan.day, kind: .clock(device: device, error: error)))
        }
        for day in 0..<days where random.happens(0.05) {
            plan.events.append(
                .init(at: (Double(day) + random.fraction()) * Plan.day, kind: .reboot(device: device)))
        }
    }

    // MARK: - Sessions

    private mutating func makeSessions(of person: Int, _ day: Int) {
        var times: [Double] = []
        let count = person == 0 ? 1 + random.below(6) : random.below(3)
        for _ in 0..<count { times.append(Double(day) * Plan.day + (7 + random.fraction() * 16.5) * 3600) }
        for time in times.sorted() {
            let session = makeSession(of: person, on: device(of: person))
            plan.events.append(.init(at: time, kind: .session(session)))
        }
    }

    /// Chooses the device of a session: a person uses their first phone most.
    private mutating func device(of person: Int) -> Int {
        let shared = plan.devices.firstIndex { $0.model == .pad }
        let devices = plan.devices.indices.filter {
            plan.devices[$0].person == person || (plan.people > 1 && $0 == shared)
        }
        return random.happens(0.4) ? devices[0] : devices[random.below(devices.count)]
    }

    private mutating func makeSession(of person: Int, on device: Int) -> Plan.Session {
        var steps: [Plan.Step] = []
        if random.happens(0.6) {
            work(of: person, &steps)
            // A notification that the person only looks at, after work. Most come while the app is in the background.
            if random.happens(0.05) {
                if random.happens(0.8) { steps.append(.init(after: 2 + random.fraction() * 20, action: .leave)) }
                steps.append(notification())
            }
        } else {
            look(&steps)
        }
        let chance = random.fraction()
        return Plan.Session(
            person: person, device: device, isSlow: random.happens(0.02), steps: steps,
            ending: chance < 0.08 ? .killed : chance < 0.28 ? .suspended : .ended, rest: 5 + random.fraction() * 60)
    }

    private mutating func work(of person: Int, _ steps: inout [Plan.Step]) {
        // Most people continue. Some take up another book, or look a page up.
        if random.happens(0.2) {
            readers[person].book = random.below(readers[person].pages.count)
            if random.happens(0.3) {
                let page = readers[person].pages[readers[person].book]
                readers[person].pages[readers[person].book] = max(1, page - 40 + random.below(80))
            }
        }
        if plan.isRereading { reread(by: person) }
        for _ in 0..<1 + random.below(6) {
            let book = readers[person].book
            let goesBack = random.happens(0.1)
            let page = readers[person].pages[book] + (goesBack ? -1 - random.below(15) : 1 + random.below(4))
            readers[person].pages[book] = max(1, page)
            steps.append(
                .init(
                    after: 5 + random.fraction() * 300,
                    action: .work(Spot(book: book, page: readers[person].pages[book]))))
        }
        if plan.isRereading { slip(of: person, &steps) }
    }

    /// Some people go far back in the book, and read on there, on whichever device is at hand.
    private mutating func reread(by person: Int) {
        let book = readers[person].book
        guard random.happens(0.15), readers[person].pages[book] > 20 else { return }
        readers[person].pages[book] = 1 + random.below(readers[person].pages[book] / 2)
    }

    /// Some people jump far ahead by accident. They come back at once, or in their next session, possibly on another
    /// device.
    private mutating func slip(of person: Int, _ steps: inout [Plan.Step]) {
        guard random.happens(0.1) else { return }
        let book = readers[person].book
        let page = readers[person].pages[book]
        let ahead = Spot(book: book, page: page + 50 + random.below(300))
        steps.append(.init(after: 2 + random.fraction() * 10, action: .work(ahead)))
        guard random.happens(0.5) else { return }
        steps.append(.init(after: 2 + random.fraction() * 20, action: .work(Spot(book: book, page: page))))
    }

    private mutating func look(_ steps: inout [Plan.Step]) {
        switch random.below(3) {
        case 0: break
        case 1: steps.append(.init(after: 5 + random.fraction() * 20, action: .scroll(1 + random.below(1000))))
        default: steps.append(notification())
        }
    }

    private mutating func notification() -> Plan.Step {
        .init(
            after: 2 + random.fraction() * 20,
            action: .open(Spot(book: 6 + random.below(6), page: 1 + random.below(300))))
    }
}

extension SeededRandom {
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func happens(_ probability: Double) -> Bool { fraction() < probability }
}
