import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

// Conversions between the domain's types and the wire types. `JSONBody` rejects words that the wire type doesn't know,
// and these initializers reject words that the domain doesn't know.

extension Time {
    init(_ timestamp: Timestamp) { self.init(milliseconds: timestamp.milliseconds) }
}

extension Problem {
    static func unknown<Word: WireWord>(_ word: Word) -> Problem { Problem(.invalidBody, Word.refusal) }
}

extension Wire.Idiom {
    init(_ idiom: Idiom) {
        switch idiom {
        case .unspecified: self = .unspecified
        case .phone: self = .phone
        case .pad: self = .pad
        case .tv: self = .tv
        case .carPlay: self = .carPlay
        case .watch: self = .watch
        case .mac: self = .mac
        case .vision: self = .vision
        }
    }
}

extension Idiom {
    init(_ word: Wire.Idiom) throws(Problem) {
        guard let idiom = Idiom(name: word.rawValue) else { throw .unknown(word) }
        self = idiom
    }
}

extension Wire.Layout {
    init(_ layout: Layout) { self = layout == .compact ? .compact : .regular }
}

extension Layout {
    init(_ word: Wire.Layout) throws(Problem) {
        guard let layout = Layout(name: word.rawValue) else { throw .unknown(word) }
        self = layout
    }
}

extension Outcome.Result {
    init(_ word: Wire.Outcome.Result) throws(Problem) {
        guard let result = Outcome.Result(rawValue: word.rawValue) else { throw .unknown(word) }
        self = result
    }
}

extension Wire.Fidelity {
    init(_ fidelity: Fidelity?) {
        switch fidelity {
        case .full: self = .full
        case .place: self = .place
        case nil: self = .none
        }
    }
}

extension Wire.Reason.Block {
    init(_ block: Reason.Block) {
        switch block {
        case .automatic: self = .automatic
        case .full: self = .full
        case .place: self = .place
        }
    }
}

extension Wire.Context {
    init(_ context: Context) {
        self.init(
            idiom: Wire.Idiom(context.idiom), layout: context.layout.map(Wire.Layout.init),
            bundleVersion: context.bundleVersion, systemVersion: context.systemVersion,
            stateVersion: context.stateVersion)
    }
}

extension Wire.Device {
    init(_ device: Device, asked principal: Principal) {
        self.init(
            id: device.id.description, user: device.owner.user.description, idiom: Wire.Idiom(device.idiom),
            model: device.model, name: device.name, systemVersion: device.systemVersion,
            isSignedIn: device.isSignedIn, createdAt: Time(device.createdAt), lastSeenAt: Time(device.lastSeenAt),
            isSelf: device.id == principal.device.id)
    }
}

extension TokenAccess {
    init(_ word: Wire.TokenAccess) throws(Problem) {
        switch word {
        case .full: self = .full
        case .readOnly: self = .readOnly
        default: throw .unknown(word)
        }
    }
}

extension Wire.Archive {
    init(_ archive: Archive) {
        var digest: [UInt8] = []
        let words = archive.digest.words
        digest.append(hexadecimal: words.0, words.1, words.2, words.3)
        self.init(
            id: archive.id.description, scene: archive.scene.name, device: archive.device.description,
            revision: archive.revision.rawValue, capturedAt: Time(archive.stateTime),
            receivedAt: Time(archive.receivedAt), sequence: archive.sequence, context: Wire.Context(archive.context),
            digest: String(decoding: digest, as: UTF8.self), size: archive.size, place: archive.summary.place,
            objectCount: archive.summary.objectCount, referenceCount: archive.summary.referenceCount,
            hasScreenshot: archive.hasScreenshot)
    }
}

extension Wire.Candidate {
    init(_ candidate: JudgedArchive) {
        self.init(
            archive: Wire.Archive(candidate.archive), fidelity: Wire.Fidelity(candidate.fidelity),
            reasons: candidate.reasons.map { reason in
                Wire.Reason(
                    code: reason.code, archive: reason.archive, required: reason.required,
                    blocks: Wire.Reason.Block(reason.blocks), text: reason.text, path: reason.details.path,
                    step: reason.details.step, duration: reason.details.seconds)
            })
    }
}

extension Wire.Change {
    init(_ change: Change) {
        let kind: Kind =
            switch change.kind {
            case .archiveStored: .archiveStored
            case .archiveDeleted: .archiveDeleted
            case .sceneForgotten: .sceneForgotten
            case .outcomeReported: .outcomeReported
            case .deviceRegistered: .deviceRegistered
            case .deviceCopied: .deviceCopied
            case .deviceRevoked: .deviceRevoked
            }
        self.init(
            revision: change.revision.rawValue, kind: kind, scene: change.scene,
            archive: change.archive?.description, device: change.device?.description, at: Time(change.at))
    }
}
