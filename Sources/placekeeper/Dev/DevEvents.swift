import PlacekeeperCore
import PlacekeeperService

/// An event as printed by `placekeeper dev --json`. `kind` is one of the kinds in the admin page's event stream.
struct DevEvent: Encodable {
    var kind: String
    var at: String
    /// The event in plain words.
    var text: String
    var user: String?
    var device: String?
    var scene: String?
    var archive: String?
    var result: String?
    var fidelity: String?
    /// The codes of the reasons.
    var reasons: [String]?
    var linkCode: String?
}

/// The events of an app: changes of its users, and answers to their devices.
struct DevEvents {
    private let service: RestorationService
    private let app: App
    private let wakes: ChangeFeed.Wakes
    private var cursor: String
    private var firstAnswer: Int

    /// Starts following the app. Events from before this call aren't included.
    init(of app: App, in service: RestorationService) async throws(ServiceError) {
        self.service = service
        self.app = app
        wakes = try service.changes.follow(app.id)
        firstAnswer = service.answers.begin(app.id)
        cursor = try await service.changes.newestChanges(of: app.id, limit: 0).cursor
    }

    /// Calls `tell` with each event until the service ends its streams. Continues after an error.
    mutating func follow(_ tell: (DevEvent, DevEventText) -> Void, failed: (ServiceError) -> Void) async {
        for await _ in wakes {
            do throws(ServiceError) {
                for (_, event, words) in try await newEvents() { tell(event, words) }
            } catch {
                failed(error)
            }
        }
        service.answers.end(app.id)
    }

    /// Reads new changes and answers, oldest first.
    private mutating func newEvents() async throws(ServiceError) -> [(
        at: Timestamp, event: DevEvent, words: DevEventText
    )] {
        var found: [(at: Timestamp, event: DevEvent, words: DevEventText)] = []
        let page = try await service.changes.changes(of: app.id, after: cursor)
        cursor = page.cursor
        if page.isTruncated { found.append(missed("some changes")) }
        for change in page.changes {
            guard let (event, words) = await told(change) else { continue }
            found.append((change.change.at, event, words))
        }
        let answers = service.answers.entries(of: app.id, from: firstAnswer)
        for entry in answers.entries {
            let (event, words) = await told(entry)
            found.append((entry.answer.at, event, words))
        }
        let missing = answers.next - firstAnswer - answers.entries.count
        firstAnswer = answers.next
        if missing > 0 { found.append(missed("\(missing) answers")) }
        return found.sorted { $0.at < $1.at }
    }

    private func missed(_ events: String) -> (at: Timestamp, event: DevEvent, words: DevEventText) {
        let words = DevEventText(text: "\(events) are not shown: they came too fast", tone: .bad)
        let now = service.clock.now()
        return (now, DevEvent(kind: "missed", at: now.text, text: words.text), words)
    }

    private func told(_ entry: AnswerFeed.Entry) async -> (DevEvent, DevEventText) {
        let answer = entry.answer
        let scene = SceneKey(owner: answer.owner, name: answer.scene)
        let newest = await self.entry(answer.candidates.first?.archive, in: scene)?.archive
        let served = await self.entry(answer.served?.archive, in: scene)?.archive
        let words = DevEventText(
            answer, entry.reasons, by: await device(answer.device).told, newest: newest, served: served)
        var event = DevEvent(
            kind: answer.served == nil ? "restoreRefused" : "restoreServed", at: answer.at.text, text: words.text)
        event.user = answer.owner.user.description
        event.device = answer.device.description
        event.scene = answer.scene
        event.archive = answer.served?.archive.description
        event.fidelity = answer.served?.fidelity.map { $0 == .full ? "full" : "place" }
        event.reasons = entry.reasons.map(\.code)
        return (event, words)
    }

    /// Describes a change. Nil if a device left its user for another user, because its registration with the new user
    /// is described. Also nil for an outcome whose archive was deleted.
    private func told(_ told: AppChange) async -> (DevEvent, DevEventText)? {
        let change = told.change
        let owner = UserKey(app: app.id, user: told.user)
        let scene = SceneKey(owner: owner, name: change.scene ?? "")
        let device = await device(change.device)
        let name = device.told
        let entry = await entry(change.archive, in: scene)
        let words: DevEventText
        var linkCode: String?
        switch change.kind {
        case .archiveStored:
            let isLate = entry?.isLate ?? false
            let head =
                isLate ? try? await service.browsing.timeline(of: scene, below: nil, limit: 1).first?.archive : nil
            words =
                entry.map { DevEventText(stored: $0, head: head, by: name) }
                ?? DevEventText(text: "\(name) saved a state that was deleted since")
        case .archiveDeleted:
            words = DevEventText(text: "A state of the scene \(escapedForTerminal(scene.name)) was deleted")
        case .sceneForgotten: words = DevEventText(text: "The scene \(escapedForTerminal(scene.name)) was forgotten")
        case .outcomeReported:
            guard let entry, let outcome = told.outcome else { return nil }
            words = DevEventText(outcome, of: entry, by: name)
        case .deviceRevoked:
            if let device, device.owner != owner { return nil }
            words = DevEventText(text: "A device was removed from its user")
        case .deviceCopied: words = DevEventText(text: "A copy of \(name) got an identity of its own")
        case .deviceRegistered:
            linkCode = await newLinkCode(for: device)
            let others = ((try? await service.devices.list(of: owner)) ?? []).filter { $0.id != change.device }
            words =
                others.first.map {
                    DevEventText(text: "\(name) joined the user of \(Device?.some($0).told)", tone: .good)
                }
                ?? DevEventText(text: "\(name) registered as a new user")
        }
        var event = DevEvent(kind: change.kind.rawValue, at: change.at.text, text: words.text)
        event.user = told.user.description
        event.device = change.device?.description
        event.scene = change.scene
        event.archive = change.archive?.description
        event.result = told.outcome?.result.rawValue
        event.linkCode = linkCode
        return (event, words)
    }

    /// Returns a link code for the device's user if the device is the only one of an anonymous user.
    private func newLinkCode(for device: Device?) async -> String? {
        guard let device, !device.isSignedIn, (try? await service.devices.list(of: device.owner))?.count == 1
        else { return nil }
        return try? await service.devices.createLinkCode(for: Principal(app: app, device: device)).code
    }

    private func device(_ id: DeviceID?) async -> Device? {
        guard let id else { return nil }
        return try? await service.devices.device(id, in: app.id)
    }

    private func entry(_ id: ArchiveID?, in scene: SceneKey) async -> TimelineEntry? {
        guard let id else { return nil }
        return try? await service.browsing.timelineEntry(of: id, in: scene)
    }
}
