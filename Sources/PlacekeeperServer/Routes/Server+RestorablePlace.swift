import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService

extension Server {
    /// Returns the place of a served archive as JSON. It may be long, so it is read and encoded on the offload queue.
    func place(
        of served: Selection.Served, _ bytes: [UInt8], as form: ArchiveForm, for requestContext: RequestContext,
        _ principal: Principal
    ) async throws -> Response {
        try await service.offload(for: principal.owner) { () async throws in
            let archived = try ArchivedPlace(stored: bytes)
            var response: Response
            if form == .place {
                response = try place(archived, for: requestContext, head: served.head)
            } else {
                var reading = PlaceReading(archived, for: principal.app)
                response = try json(reading.place(served), for: requestContext, head: served.head)
            }
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

extension Server {
    /// Returns an archive's place as JSON, in the form in which clients upload places.
    func place(
        _ archived: ArchivedPlace, for requestContext: RequestContext, head: Revision?
    ) throws(Problem) -> Response {
        guard let bytes = PlaceWriter.json(archived) else {
            throw Problem(
                .placeUnavailable,
                archived.place == nil
                    ? "The archive has no place." : "The place has more than \(Limits.placeText) bytes as JSON.",
                head: head)
        }
        return json(bytes, for: requestContext, head: head, as: PlaceForm.mediaType)
    }
}

/// The forms in which clients get an archive.
enum ArchiveForm {
    /// The archive itself.
    case archive
    /// The place as JSON, as clients upload it.
    case place
    /// The place as JSON, with the facts about the archive. Only for `latest` and `restorable`.
    case restorablePlace
}

extension RequestHead {
    /// The form that the client asks for.
    var archiveForm: ArchiveForm {
        let (archive, json): (StaticString, StaticString) = ("application/x-plist", "application/json")
        if prefers(PlaceForm.mediaType, to: archive), !prefers(json, to: PlaceForm.mediaType) { return .place }
        return prefers(json, to: archive) ? .restorablePlace : .archive
    }
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
