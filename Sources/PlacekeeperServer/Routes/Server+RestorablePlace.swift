import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService

extension Server {
    /// Returns the place of a served archive as JSON. It may be long, so it is read and encoded on the offload queue.
    func place(
        of served: Selection.Served, _ bytes: [UInt8], for requestContext: RequestContext, _ principal: Principal
    ) async throws -> Response {
        try await service.offload(for: principal.owner) { () async throws in
            var reading = try PlaceReading(bytes, for: principal.app)
            var response = try json(reading.place(served), for: requestContext, head: served.head)
            response.fields.add(.vary, "Accept")
            if response.status == .ok {
                response.fields.addFacts(of: served, for: principal.app)
            } else {
                response.fields.addLimits(of: served)
            }
            return response
        }.get()
    }
}

extension RequestHead {
    /// Whether the client asks for the place as JSON rather than for the archive.
    var asksForPlace: Bool { prefers("application/json", to: "application/x-plist") }
}

extension RequestContext {
    var asksForPlace: Bool { head.asksForPlace }
}

extension ResponseFields {
    /// Adds the operator's setting for restoring, unless it allows restoring.
    mutating func add(_ restoration: App.Settings.Restoration) {
        switch restoration {
        case .auto: break
        case .offer: add(.restoration, "offer")
        case .off: add(.restoration, "off")
        }
    }

    /// Adds a field if the archive isn't its scene's head.
    mutating func add(_ superseded: Superseded?) {
        guard let superseded else { return }
        add(.superseded, "\(superseded.head.rawValue); seconds=\(superseded.by.wholeMilliseconds / 1000)")
    }

    /// Adds the reasons why the app may only offer a served archive.
    mutating func addLimits(of served: Selection.Served) {
        add(served.superseded)
        if let caution = served.caution { add(.caution, caution.code) }
    }

    /// Adds the fields that describe a served archive.
    mutating func addFacts(of served: Selection.Served, for app: App) {
        add(.revision, served.archive.revision.rawValue)
        add(.servedArchive, served.archive.id)
        add(.servedDevice, served.archive.device)
        switch served.fidelity {
        case .full: add(.fidelity, "full")
        case .place: add(.fidelity, "place")
        }
        if let references = served.references, !references.isEmpty {
            let counts = ItemResolution.Step.allCases.compactMap { step in
                references[step].map { "\(step.rawValue)=\($0)" }
            }
            add(.references, counts.joined(separator: ", "))
        }
        addLimits(of: served)
        add(app.settings.restoration)
    }
}
