package import PlacekeeperCore

extension RestoreLogEntry {
    /// The encoded members that have no column of their own.
    package var body: [UInt8] {
        var writer = LogWriter(version: kind == .answer ? 2 : 1)
        switch self {
        case .answer(let answer):
            writer.add(answer.scene)
            writer.add(answer.asked)
            writer.add(answer.candidates.count)
            for candidate in answer.candidates { writer.add(candidate) }
            writer.add(answer.wasHeld ? 1 : 0)
            writer.add(answer.repeats)
            writer.add(answer.lastAt.milliseconds)
            writer.add(answer.omitted)
        case .report(let report):
            writer.add(report.scene)
            writer.add(report.archive)
            writer.add(report.result.rawValue)
            writer.add(report.path)
            writer.add(report.duration?.wholeMilliseconds)
            writer.add(report.source)
            writer.add(report.target)
            writer.add(Int64(report.network))
        case .note(let note):
            writer.add(note.pair.sourceVersion)
            writer.add(note.pair.targetVersion)
            writer.add(note.pair.idiom.rawValue)
            writer.add(note.state.rawValue)
            writer.add(note.until?.milliseconds)
        }
        return writer.bytes
    }

    /// The maximum size of a body to read, in bytes. Every complete entry is smaller.
    package static let longestBody = 64 << 10

    /// Reads the body of an answer or report. Nil if it is damaged.
    package init?(
        _ kind: Kind, at time: Timestamp, owner: UserKey, device: DeviceID, tenure: RestoreReport.UserTenure,
        body: [UInt8]
    ) {
        var reader = LogReader(body)
        switch kind {
        case .answer:
            var answer = RestoreAnswer(
                at: time, owner: owner, device: device, scene: reader.text(), asked: reader.context(), candidates: [])
            for _ in 0..<reader.length() where !reader.isDamaged { answer.candidates.append(reader.candidate()) }
            // Placekeeper 0.1.0 wrote the format version 1, without these members.
            if reader.version > 1 {
                answer.wasHeld = reader.number() != 0
                answer.repeats = reader.count()
                answer.lastAt = reader.time()
                answer.omitted = reader.count()
            }
            self = .answer(answer)
        case .report:
            let (scene, archive) = (reader.text(), reader.id() as ArchiveID)
            let result = reader.word(or: Outcome.Result.restored)
            let path = reader.optionalText()
            let milliseconds = reader.optionalNumber()
            let report = RestoreReport(
                at: time, owner: owner, device: device, scene: scene, archive: archive, result: result, path: path,
                duration: milliseconds.map { .milliseconds(min(max($0, 0), 86_400_000)) }, source: reader.context(),
                target: reader.context(), network: UInt32(truncatingIfNeeded: reader.number()), tenure: tenure)
            self = .report(report)
        case .note: return nil
        }
        guard reader.isComplete else { return nil }
    }

    /// Reads the body of a breaker transition. Nil if it is damaged.
    package init?(noteOf app: AppID, at time: Timestamp, body: [UInt8]) {
        var reader = LogReader(body)
        let pair = RestorePair(sourceVersion: reader.text(), targetVersion: reader.text(), idiom: reader.idiom())
        var note = BreakerTransition(at: time, app: app, pair: pair, state: reader.state())
        if reader.number() != 0 { note.until = reader.time() }
        guard reader.isComplete else { return nil }
        self = .note(note)
    }
}

extension LogWriter {
    fileprivate mutating func add(_ candidate: RestoreAnswer.Candidate) {
        add(candidate.archive)
        add(candidate.facts.context)
        add(candidate.facts.capturedAt.milliseconds)
        add(candidate.facts.hasPlace ? 1 : 0)
        add(candidate.fidelity.map { Int64($0.rawValue) })
        add(candidate.exclusion?.code)
        if let exclusion = candidate.exclusion { add(exclusion.archive) }
        add(candidate.reasons.count)
        for reason in candidate.reasons { add(reason) }
    }
}

extension LogReader {
    fileprivate mutating func candidate() -> RestoreAnswer.Candidate {
        let archive: ArchiveID = id()
        let facts = RestoreCandidate(context: context(), capturedAt: time(), hasPlace: number() != 0)
        var candidate = RestoreAnswer.Candidate(archive: archive, facts: facts, fidelity: fidelity())
        if let code = optionalText() {
            candidate.exclusion = Reason(code: code, archive: optionalText(), blocks: .place)
        }
        for _ in 0..<length() where !isDamaged { candidate.reasons.append(text()) }
        return candidate
    }
}
