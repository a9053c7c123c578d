import PlacekeeperArchive
import PlacekeeperModels

// The items of lists, which the device registers with the service (docs/identity.md).
extension ClientCore {
    /// The file that stores the service's items for the next launch.
    private func path(of list: String) -> String { "\(deviceFolder)/lists/l.\(list)" }

    /// Registers the items of a list, and unregisters all others. Sends the changes later.
    func register(
        _ elements: [RegisteredElement], of list: String,
        as declaration: Wire.DataSourceDeclaration = Wire.DataSourceDeclaration(), at now: ClockReading
    ) {
        guard openList(list), mayTellItems else { return }
        let items = elements.prefix(ListState.maximumItemCount).compactMap {
            Wire.Item($0.identifier, aliases: $0.aliases, position: $0.position)
        }
        lists[list]?.declaration = declaration
        // The service rejected the earlier items, but may accept the new ones.
        if case .off(_?) = lists[list]?.phase, lists[list]?.wants(items) == false {
            lists[list]?.phase = .unchecked
            lists[list]?.differences = 0
        }
        lists[list]?.want(items)
        lists[list]?.dueAt = now.uptime + settings.sendDelay
    }

    /// Records that an item was replaced by another one, for example because two records were merged.
    func redirect(_ identifier: String, to other: String, in list: String, at now: ClockReading) {
        guard openList(list), mayTellItems, Wire.Item.isAccepted(identifier), Wire.Item.isAccepted(other),
            ByteText(identifier) != ByteText(other)
        else {
            return
        }
        lists[list]?.redirects.removeAll { ByteText($0.from) == ByteText(identifier) }
        lists[list]?.redirects.append(.init(from: identifier, to: other))
        if lists[list]?.wanted != nil { lists[list]?.dueAt = now.uptime + settings.sendDelay }
    }

    /// Returns the items of a list that this device registered before, so the list keeps their positions.
    func registeredElements(of list: String) -> [RegisteredElement] {
        readAccount()
        guard openList(list), let state = lists[list] else { return [] }
        let items = state.wanted ?? Array(state.told.items.values)
        return items.compactMap { item in
            item.position.map { RegisteredElement(item.identifier, aliases: item.aliases ?? [], position: $0) }
        }
    }

    /// Whether items may be registered: not after a sign-out, and not while the app still has a previous user's items.
    private var mayTellItems: Bool {
        guard credentials?.isSignedOut != true else { return false }
        if !listsArePresent { problem = Self.accountChanged }
        return listsArePresent
    }

    private func openList(_ list: String) -> Bool {
        readAccount()
        guard Self.isSceneName(list) else {
            problem = PlacekeeperError(
                .listNameInvalid, "A list's name has 1 to 64 of the characters A–Z a–z 0–9 . _ and -.")
            return false
        }
        guard lists[list] == nil else { return true }
        var state = ListState()
        do throws(FileError) {
            if registration != nil, let file = try files.read(path(of: list), limit: RegisteredItems.fileLimit),
                let told = RegisteredItems(file: file)
            {
                state.told = told
            }
        } catch {
            // Without the file, the client reads the service's items.
        }
        lists[list] = state
        return true
    }

    /// Forgets which items the service has, because the device has another user. The client then compares the digests
    /// again, and repairs any difference.
    func forgetToldItems() {
        for name in lists.keys { lists[name]?.forgetTold() }
    }

    /// Forgets the app's items, because they may belong to another user.
    func forgetLists() { lists = [:] }

    // MARK: - Sending

    /// Whether changes of a list are due or in flight.
    func isListDue(at now: ClockReading) -> Bool {
        lists.values.contains { $0.isSending || $0.dueAt.map { $0 <= now.uptime } == true }
    }

    func makeListsDue(at now: ClockReading) {
        for name in lists.keys where lists[name]?.dueAt != nil { lists[name]?.dueAt = now.uptime }
    }

    /// Sends the next request of each list that is due.
    func startLists(at now: ClockReading) {
        for (name, state) in lists {
            guard !state.isSending, let dueAt = state.dueAt, dueAt <= now.uptime else { continue }
            sendNext(ofList: name, state)
        }
    }

    private func sendNext(ofList name: String, _ state: ListState) {
        let target = "/v1/data-sources/" + name
        switch state.phase {
        case .off: lists[name]?.dueAt = nil
        case .unchecked: send(request("GET", target), name, .check)
        case .reading(_, let next, _):
            var request = request("GET", target + "/items?limit=200" + (next.map { "&cursor=" + $0 } ?? ""))
            request.responseLimit = 8 << 20
            send(request, name, .read)
        case .checked:
            guard let delta = state.delta() else {
                lists[name]?.dueAt = nil
                return keepTold(of: name)
            }
            send(request("PATCH", target + "/items", json: delta), name, .change(delta))
        }
    }

    private func send(_ request: TransportRequest, _ name: String, _ step: Operation.ListStep) {
        lists[name]?.isSending = true
        send(request, .list(name, step))
    }

    // MARK: - Answers

    func receiveList(
        _ answer: Answer, _ operation: Operation, _ name: String, _ step: Operation.ListStep, at now: ClockReading
    ) {
        // After a change of the account, the items belong to another registration.
        guard operation.generation == credentials?.generation, lists[name] != nil else { return }
        lists[name]?.isSending = false
        switch answer {
        case .success(let response):
            switch step {
            case .check: receiveState(of: name, response, operation, at: now)
            case .declare: lists[name]?.phase = .unchecked
            case .read: receiveItems(of: name, response, operation, at: now)
            case .change(let delta): receiveChange(delta, of: name, response, operation, at: now)
            }
        case .failure(let error): fail(operation, error, at: now)
        case .problem(let problem) where problem.isUnauthorized: break
        case .problem(let problem) where problem.isTemporary: fail(operation, PlacekeeperError(problem), at: now)
        case .problem(let problem): receive(problem, of: name, step, operation, at: now)
        }
    }

    private func receive(
        _ problem: ServiceProblem, of name: String, _ step: Operation.ListStep, _ operation: Operation,
        at now: ClockReading
    ) {
        switch (step, ProblemCode(rawValue: problem.code)) {
        // The next request waits until the `Retry-After` of the service is over.
        case (.check, .dataSourceUnknown?) where !backoff.allowsWork(at: now): break
        case (.check, .dataSourceUnknown?):
            guard let declaration = lists[name]?.declaration else { break }
            send(request("PUT", "/v1/data-sources/" + name, json: declaration), name, .declare)
        case (.declare, .dataSourceDiffers?), (_, .cursorStale?): differ(name)
        case (_, .itemsNotRegistered?): lists[name]?.phase = .off(nil)
        case (.change(let delta), _) where delta.redirects != nil:
            // The redirects may be the cause. Without them, references to the replaced items do not resolve.
            lists[name]?.redirects = []
            self.problem = PlacekeeperError(problem)
        default: turnOff(name, PlacekeeperError(problem))
        }
    }

    /// Compares the items again, because the service's items differ from the expected ones. If the digests never agree,
    /// the client stops after three comparisons in a process.
    private func differ(_ name: String) {
        guard let state = lists[name] else { return }
        lists[name]?.differences += 1
        lists[name]?.phase = .unchecked
        if state.differences >= 3 {
            turnOff(
                name,
                .init(
                    .listDiffers,
                    "The items of the list \(name) keep differing from the service's, so they are not sent until the next launch."
                ))
        }
    }

    /// Stops sending the items of a list in this process. The status and each flush report the error.
    private func turnOff(_ name: String, _ error: PlacekeeperError) {
        lists[name]?.phase = .off(error)
        problem = error
    }

    /// Why the items of a list are not sent.
    var listFailure: PlacekeeperError? {
        lists.compactMap { name, list in
            if case .off(let error?) = list.phase { (name, error) } else { nil }
        }.min { $0.0 < $1.0 }?.1
    }

    private func receiveState(
        of name: String, _ response: TransportResponse, _ operation: Operation, at now: ClockReading
    ) {
        guard let source: Wire.DataSource = decode(response), let state = lists[name] else {
            return fail(operation, Self.unreadable, at: now)
        }
        guard source.scope == "registered", let registration = source.registration else {
            // The service needs no items: the identifiers are the same on every device, or the app finds its items by a
            // key.
            lists[name]?.phase = .off(nil)
            return
        }
        if registration.count == 0 {
            lists[name]?.told = RegisteredItems([], cursor: registration.cursor)
        } else if state.told.equal(registration) {
            lists[name]?.told.cursor = registration.cursor
        } else if case let wanted = RegisteredItems(state.wanted ?? [], cursor: registration.cursor),
            wanted.equal(registration)
        {
            lists[name]?.told = wanted
        } else if registration.count > ListState.maximumItemCount {
            differ(name)
            return
        } else {
            lists[name]?.phase = .reading(read: [], next: nil, registration)
            return
        }
        lists[name]?.phase = .checked
        lists[name]?.isKept = false
    }

    private func receiveItems(
        of name: String, _ response: TransportResponse, _ operation: Operation, at now: ClockReading
    ) {
        guard case .reading(var read, _, let state) = lists[name]?.phase,
            let page: Wire.Page<Wire.Item> = decode(response)
        else { return fail(operation, Self.unreadable, at: now) }
        // Releases the stored array, so appending does not copy it.
        lists[name]?.phase = .unchecked
        read += page.items
        // Even if the pages of the service never end, the client does not read more items than the service announced.
        if let next = page.next, Self.isCursor(next), !page.items.isEmpty, read.count <= state.count {
            lists[name]?.phase = .reading(read: read, next: next, state)
            return
        }
        let told = RegisteredItems(read, cursor: state.cursor)
        guard told.equal(state) else { return differ(name) }
        lists[name]?.told = told
        lists[name]?.phase = .checked
        lists[name]?.isKept = false
    }

    private func receiveChange(
        _ delta: Wire.ItemDelta, of name: String, _ response: TransportResponse, _ operation: Operation,
        at now: ClockReading
    ) {
        guard let state: Wire.RegistrationState = decode(response) else {
            return fail(operation, Self.unreadable, at: now)
        }
        lists[name]?.told.apply(delta)
        lists[name]?.told.cursor = state.cursor
        let sent = Set(delta.redirects ?? [])
        lists[name]?.redirects.removeAll { sent.contains($0) }
        lists[name]?.isKept = false
        if lists[name]?.told.equal(state) != true { differ(name) }
    }

    /// Stores the service's items when nothing is left to send.
    private func keepTold(of name: String) {
        guard let state = lists[name], !state.isKept else { return }
        lists[name]?.isKept = true
        do throws(FileError) { try files.write(state.told.file, to: path(of: name)) } catch { note(error) }
    }

    /// Whether a text is safe to use as a page's cursor in a query without encoding.
    private static func isCursor(_ text: String) -> Bool {
        (1...512).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2B, 0x2F, 0x3D: true
                default: false
                }
            }
    }
}
