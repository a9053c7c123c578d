import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperJSON
import PlacekeeperService

extension Server {
    /// `GET /admin/api/apps/{app}/health`: a summary of the app's restores, and the state of the circuit breaker.
    func readHealth(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let now = service.clock.now()
        let from = try requestContext.start(at: now)
        try await service.auditLog.record(.restoresSummarized, by: look.principal.auditor, in: look.app.id)
        let found = try await service.health.restoreHealth(of: look.app, since: from, at: now)
        let health = found.health
        let subjects = try await subjects(of: health.failures.map(\.owner.user), look)
        let document: JSONTree = [
            "from": .time(from), "to": .time(Timestamp(milliseconds: (now.hour + 1) * 3_600_000)),
            "reports": .number(health.reportCount), "isSample": .truth(found.isSample),
            "restores": .list(health.restores.map { JSONTree($0) }), "paths": .list(health.paths.map { JSONTree($0) }),
            "failures": .list(health.failures.map { JSONTree($0, subjects[$0.owner.user]) }),
            "breaker": [
                "mode": .text(look.app.settings.breaker.mode.rawValue),
                "pairs": .list(
                    found.pairs.filter { $0.failingUsers > 0 || $0.state != .normal }.prefix(Limits.page)
                        .map { JSONTree($0) }),
            ],
        ]
        return json(document.bytes, for: requestContext)
    }

    /// `GET /admin/api/apps/{app}/failures`: newest first.
    func listFailures(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let from = try requestContext.start(at: service.clock.now())
        let filter = try requestContext.failureFilter()
        let limit = try requestContext.adminPageLimit()
        let position = try requestContext.cursor { Int64($0) }
        try await service.auditLog.record(.restoresSummarized, by: look.principal.auditor, in: look.app.id)
        let found = try await service.health.failures(
            of: look.app.id, since: from, matching: filter, below: position, limit: limit)
        let subjects = try await subjects(of: found.failures.map(\.owner.user), look)
        let page = JSONTree(
            page: found.failures.map { JSONTree($0, subjects[$0.owner.user]) }, next: found.next.map { "\($0)" })
        return json(page.bytes, for: requestContext)
    }

    /// `GET /admin/api/apps/{app}/failures/groups`
    func listFailureGroups(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let from = try requestContext.start(at: service.clock.now())
        guard let key = FailureGroup.Key(rawValue: try requestContext.query("by") ?? "") else {
            throw Problem.malformedQuery("by", "The parameter must be user or path.")
        }
        let filter = try requestContext.failureFilter()
        let limit = try requestContext.adminPageLimit()
        // The log has at most 10,000 reports, so all groups are made for each page.
        let start = try requestContext.cursor { Int($0).flatMap { $0 >= 0 ? $0 : nil } } ?? 0
        try await service.auditLog.record(.restoresSummarized, by: look.principal.auditor, in: look.app.id)
        let found = try await service.health.failureGroups(
            of: look.app.id, by: key, since: from, matching: filter
        ).dropFirst(start)
        let groups = found.prefix(limit)
        let subjects = try await subjects(of: groups.map(\.last.owner.user), look)
        let page = JSONTree(
            page: groups.map { JSONTree($0, by: key, subjects[$0.last.owner.user]) },
            next: found.count > limit ? "\(start + limit)" : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `GET …/answers`: the past answers to the user's devices.
    func listAnswers(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, device): (String?, DeviceID?) = (
            try requestContext.query("scene"), try requestContext.id(query: "device")
        )
        let archive: ArchiveID? = try requestContext.id(query: "archive")
        let limit = try requestContext.adminPageLimit()
        let position = try requestContext.cursor { Int64($0) }
        try await look.begin("answers")
        let found = try await service.health.answers(
            to: look.owner, in: scene, of: device, about: archive, below: position, limit: limit)
        let page = JSONTree(page: found.answers.map { JSONTree($0) }, next: found.next.map { "\($0)" })
        return json(page.bytes, for: requestContext)
    }

    /// `POST /admin/api/apps/{app}/dry-runs`
    func trySettings(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let body = try requestContext.json(self, values: 10_000)
        if case .object(let members) = body {
            let tried = ["policy", "stoppedRestores"].map { Array($0.utf8) }
            if let other = members.keys.first(where: { !tried.contains($0) }) {
                throw Problem.invalid(String(decoding: other, as: UTF8.self), "A dry run cannot change this setting.")
            }
        }
        let (settings, _) = try SettingsPatch(body).applied(to: look.app.settings)
        try await service.auditLog.record(.settingsTried, by: look.principal.auditor, in: look.app.id)
        let dryRun = try await service.health.tryOut(settings, of: look.app)
        return json(JSONTree(dryRun).bytes, for: requestContext)
    }
}

extension RequestContext {
    /// Returns the start of the period that the parameter `hours` gives.
    fileprivate func start(at now: Timestamp) throws(Problem) -> Timestamp {
        Timestamp(milliseconds: (now.hour - Int64(try hours()) + 1) * 3_600_000)
    }

    fileprivate func failureFilter() throws(Problem) -> FailureFilter {
        var filter = FailureFilter(
            user: try id(query: "user"), path: try query("path"), hasPath: try truth("hasPath"))
        if let text = try query("result") {
            guard let result = Outcome.Result(rawValue: text), [.failed, .crashed].contains(result) else {
                throw .malformedQuery("result", "The parameter must be failed or crashed.")
            }
            filter.result = result
        }
        return filter
    }
}
