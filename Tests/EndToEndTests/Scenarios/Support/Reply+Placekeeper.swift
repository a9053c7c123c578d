import PlacekeeperAPI

/// A served archive with its fidelity and, if it is not the head, the revision of the head.
struct Served: Equatable {
    var archive: String
    var fidelity: Wire.Fidelity
    var supersededBy: Int64?

    init(archive: String, fidelity: Wire.Fidelity, supersededBy: Int64?) {
        self.archive = archive
        self.fidelity = fidelity
        self.supersededBy = supersededBy
    }

    static func full(_ upload: Upload, supersededBy head: Upload? = nil) -> Served {
        Served(archive: upload.id, fidelity: .full, supersededBy: head?.revision)
    }

    static func place(_ upload: Upload, supersededBy head: Upload? = nil) -> Served {
        Served(archive: upload.id, fidelity: .place, supersededBy: head?.revision)
    }
}

extension Reply {
    var revision: Int64? { self["Placekeeper-Revision"].flatMap { Int64($0) } }
    var headRevision: Int64? { self["Head-Revision"].flatMap { Int64($0) } }

    /// The served archive. Nil if the response serves no archive.
    var served: Served? {
        guard status == 200, let archive = self["Placekeeper-Archive"],
            let fidelity = self["Placekeeper-Fidelity"].flatMap(Wire.Fidelity.init)
        else { return nil }
        let superseded = self["Placekeeper-Superseded"]?.split(separator: ";").first.flatMap { Int64($0) }
        return Served(archive: archive.lowercased(), fidelity: fidelity, supersededBy: superseded)
    }

    /// The code of a problem. Nil if the response is not a problem.
    var code: String? {
        guard self["Content-Type"] == "application/problem+json" else { return nil }
        return try? json(Wire.Problem.self).code
    }

    /// The reason codes of each refused candidate, starting with the newest candidate.
    var refusals: [[String]] {
        ((try? json(Wire.Problem.self).candidates) ?? []).map { $0.reasons.map(\.code) }
    }

    /// The target of the next page (RFC 8288).
    var nextPage: String? {
        guard let link = self["Link"], link.hasSuffix("; rel=\"next\""), link.hasPrefix("<") else { return nil }
        return link.split(separator: ">").first.map { String($0.dropFirst()) }
    }
}
