import Foundation

/// The outcome of a request.
enum Answer {
    /// A response with a successful status, or 304.
    case success(TransportResponse)
    /// A problem document from the service.
    case problem(ServiceProblem)
    /// The service did not answer: there is no connection, or something else answered, such as a captive portal.
    case failure(PlacekeeperError)

    init(_ result: Result<TransportResponse, TransportError>) {
        switch result {
        case .failure(let error):
            let prefix = if case .unreachable = error { "The service cannot be reached. " } else { "" }
            self = .failure(PlacekeeperError(.offline, prefix + error.description))
        case .success(let response):
            if (200..<300).contains(response.status) || response.status == 304 {
                self = .success(response)
            } else if let problem = ServiceProblem(response) {
                self = .problem(problem)
            } else {
                // Redirects end here too. They are not followed, because the token is only for this service.
                let after = response.status == 503 || response.status == 429 ? response.retryAfter : nil
                // A long `Retry-After` is shortened, because it is not from the service but from a proxy.
                self = .failure(
                    PlacekeeperError(
                        .offline,
                        "The answer with status \(response.status) came from a proxy or another server, not from the service.",
                        retryAfter: after.map { .seconds(min($0, 300)) }))
            }
        }
    }
}

/// A problem document (RFC 9457) from the service.
struct ServiceProblem {
    var status: Int
    var code: String
    var detail: String
    var retryAfter: Double?
    /// Why the newest archive was refused.
    var reason: Wire.Problem.Reason?

    /// Reads a problem document. Returns `nil` for any other response.
    init?(_ response: TransportResponse) {
        guard let type = response["content-type"], type.hasPrefix("application/problem+json"),
            let document = try? JSONDecoder().decode(Wire.Problem.self, from: Data(response.body)),
            document.status == response.status
        else { return nil }
        status = response.status
        code = document.code
        detail = document.detail
        retryAfter = response.retryAfter
        reason = document.candidates?.first.flatMap { Self.decisive($0.reasons) }
    }

    /// Returns the decisive reason of a refusal: a reason against the place itself, if there is one. Otherwise, it is
    /// the first reason on a device of the same layout. On other devices, it is the last one: the place is missing or
    /// not allowed.
    private static func decisive(_ reasons: [Wire.Problem.Reason]) -> Wire.Problem.Reason? {
        let withoutPlace: Set = ["no-place", "place-not-allowed"]
        let layout: Set = ["idiom-not-accepted", "layout-differs", "platform-differs"]
        if let refusal = reasons.first(where: { $0.blocks == "place" && !withoutPlace.contains($0.code) }) {
            return refusal
        }
        let isOfOtherLayout = reasons.contains { layout.contains($0.code) }
        return isOfOtherLayout ? reasons.last : reasons.first
    }

    /// Whether the service rejects all requests with this identity.
    var isUnauthorized: Bool { status == 401 && code == ProblemCode.unauthorized.rawValue || isAboutCopy }

    /// Whether another device uses the same identity.
    var isAboutCopy: Bool { code == ProblemCode.installationCopied.rawValue }

    /// Whether the same request may succeed later.
    var isTemporary: Bool { status >= 500 || status == 429 || status == 408 }
}

extension TransportResponse {
    /// The seconds of `Retry-After`. A date counts as one minute.
    var retryAfter: Double? {
        self["retry-after"].map { text in Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? 60 }
    }
}

extension PlacekeeperError {
    init(_ problem: ServiceProblem) {
        let code: Code =
            switch problem.code {
            case ProblemCode.unauthorized.rawValue: .revoked
            case ProblemCode.linkCodeRequired.rawValue: .signInRequired
            case ProblemCode.throttled.rawValue, ProblemCode.overloaded.rawValue, ProblemCode.draining.rawValue: .busy
            default: Code(rawValue: problem.code)
            }
        self.init(code, problem.detail, retryAfter: problem.retryAfter.map { .seconds($0) })
    }
}

extension ClientCore {
    static var unreadable: PlacekeeperError {
        PlacekeeperError(.answerUnreadable, "The service's answer cannot be read.")
    }

    func decode<Body: Decodable>(_ response: TransportResponse) -> Body? {
        guard response["content-type"]?.hasPrefix("application/json") == true else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return try (try? style.parse(text)) ?? Date.ISO8601FormatStyle().parse(text)
        }
        return try? decoder.decode(Body.self, from: Data(response.body))
    }

    /// Handles the response to a request. Does nothing if the request was canceled.
    func receive(_ result: Result<TransportResponse, TransportError>, for id: Int, at now: ClockReading) {
        guard let operation = inFlight.removeValue(forKey: id) else { return }
        if let callID = operation.callID { update(callID) { $0.isInFlight = false } }
        var answer = Answer(result)
        switch answer {
        case .success:
            problem = nil
            if !operation.isRegistration { hasRenewedInstallation = false }
        case .problem(let problem):
            if !problem.isTemporary { backoff.succeed(id) }
        case .failure: break
        }
        // A refused token ends the registration, unless the account has changed since the request. Requests that check
        // or change the account handle a refused token themselves.
        if case .problem(let problem) = answer, problem.isAboutCopy {
            var isSentAgain = false
            do throws(FileError) { isSentAgain = try leaveCopiedIdentity(operation) } catch { note(error) }
            // Keep the call waiting for the new identity.
            if isSentAgain, operation.kind.isExclusive || operation.callID != nil { return }
            if !isSentAgain { answer = .failure(PlacekeeperError(problem)) }
        } else if case .problem(let problem) = answer, problem.isUnauthorized, !operation.kind.isExclusive,
            operation.generation == credentials?.generation
        {
            do throws(FileError) { try endRegistration() } catch { note(error) }
            backoff.fail(at: now, random: &random)
        }
        hasFailed = false
        defer {
            // The success may come from something other than the service, such as a captive portal.
            if case .success = answer, !hasFailed {
                backoff.succeed(id)
                if backoff.serviceRetryAt == nil { forgetRetry() }
                noteLaunchIsKnown(by: operation)
            }
        }
        switch operation.kind {
        case .register: receiveRegistration(answer, operation, at: now)
        case .confirm: receiveConfirmation(answer, operation, at: now)
        case .check: receiveCheck(answer, operation, at: now)
        case .change(let change): receiveChange(change, answer, operation, at: now)
        case .upload(let scene, let name, let capture, let bytes):
            receiveUpload(answer, operation, scene, name, capture, bytes, at: now)
        case .outcome(let scene, let name): receiveOutcome(answer, operation, scene, name, at: now)
        case .latest(let scene): receiveLatest(answer, operation, scene, at: now)
        case .describeOffer(let scene): receiveDescription(answer, operation, scene, at: now)
        case .readOffer(let scene, let place, let head):
            receiveProposed(answer, operation, scene, place, head: head, at: now)
        case .restorable(let scene, let context): receiveRestorable(answer, operation, scene, context, at: now)
        case .makeLinkCode: receiveLinkCode(answer, operation, at: now)
        case .places: receivePlaces(answer, operation, at: now)
        case .refreshPlaces: refreshOffers(answer, operation, at: now)
        case .manifest: receiveManifest(answer, operation, at: now)
        case .history: receiveHistory(answer, operation, at: now)
        case .forget(let scene, let sequence):
            receiveForgotten(answer, operation, scene, before: sequence, at: now)
        case .describe(let description): receiveDescribed(description, answer, operation)
        case .snapshot(let scene, let name): receiveSnapshot(answer, operation, scene, name, at: now)
        case .readSnapshot: receiveSnapshot(answer, operation, at: now)
        case .list(let name, let step): receiveList(answer, operation, name, step, at: now)
        }
    }

    /// Ends an operation with an error. The client pauses before it sends the next request on its own.
    func fail(
        _ operation: Operation, _ error: PlacekeeperError, at now: ClockReading, isTemporary: Bool = true
    ) {
        problem = error
        hasFailed = true
        if isTemporary {
            backoff.fail(at: now, retryAfter: error.retryAfter?.seconds, lastRequest: nextRequest, random: &random)
            if let retryAfter = error.retryAfter?.seconds { rememberRetry(after: retryAfter, at: now) }
        }
        finish(operation.callID, .failed(error))
        // The calls that wait for the account cannot continue.
        if operation.kind.isExclusive { failWaiting(error, at: now) }
    }

    /// Fails the calls without a request in flight. Launches are decided without the service instead.
    func failWaiting(_ error: PlacekeeperError, at now: ClockReading) {
        for call in waiting where !call.isInFlight {
            if call.call.isLaunch {
                decide(call.callID, without: error, at: now)
            } else {
                finish(call.callID, .failed(error))
            }
        }
    }
}
