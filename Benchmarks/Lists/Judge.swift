import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService

/// Compares the answers for one archive and one requesting device with the truth.
struct Judge {
    private let person: Person
    private let capture: Capture
    private let asking: Int
    private let shelf: Shelf
    private let things: [String: Int]
    private let present: Set<Int>
    /// The things whose records the requesting device has registered.
    private let registered: Set<Int>
    private let source: Shelf

    init(_ person: Person, _ capture: Capture, asking: Int) {
        self.person = person
        self.capture = capture
        self.asking = asking
        shelf = person.shelves[asking]
        source = capture.shelf
        things = Dictionary(person.shelves[asking].names.map { ($1, $0) }) { first, _ in first }
        present = Set(person.shelves[asking].names.keys.map { person.truth($0) })
        let known = Set(person.ledgers[asking].elements.map(\.identifier))
        registered = Set(person.shelves[asking].names.filter { known.contains($1) }.map { person.truth($0.key) })
    }

    private var isOwn: Bool { capture.device == asking }

    /// - Parameters:
    ///   - served: the references of the served archive.
    ///   - shown: the rows that the runtime shows for these references.
    ///   - exhaustive: the rows that the runtime shows for the exhaustive resolver's references.
    func compare(
        _ served: [ModelReference], _ shown: [ElementResolution?], exhaustive: [ElementResolution?]
    ) -> Score {
        var score = Score()
        let baselines = Baselines(person, capture, asking: asking)
        for subject in capture.subjects {
            let isBlurred = isIndistinguishable(subject.thing)
            let verdict = verdict(shown[subject.reference], subject, isBlurred)
            note(served[subject.reference], subject, isBlurred, in: &score)
            if isOwn {
                score.own[verdict, default: 0] += 1
                continue
            }
            let hasThing = present.contains(person.truth(subject.thing))
            let kind = Score.Case(
                kind: person.kind, isFirstVisible: subject.isFirstVisible, hasThing: hasThing,
                isRegistered: registered.contains(person.truth(subject.thing)), mode: mode,
                isIndistinguishable: isBlurred)
            func add(_ approach: Approach, _ verdict: Verdict) {
                score.answered[.init(subject: kind, approach: approach, verdict: verdict), default: 0] += 1
            }
            func explain(_ approach: Approach, _ verdict: Verdict, _ found: ElementResolution?) {
                add(approach, verdict)
                guard hasThing ? verdict != .right : verdict == .wrong || verdict == .far else { return }
                let cause = Score.Cause(
                    kind: person.kind, approach: approach, verdict: verdict, isFirstVisible: subject.isFirstVisible,
                    text: self.cause(subject, verdict, found, hasThing))
                score.causes[cause, default: 0] += 1
            }
            explain(.placekeeper, verdict, shown[subject.reference])
            let reference = exhaustive[subject.reference]
            explain(.exhaustive, self.verdict(reference, subject, isBlurred), reference)
            for (approach, thing) in baselines.answers(for: subject) {
                add(approach, self.verdict(of: thing, isNeighbor: false, subject, isBlurred))
            }
        }
        return score
    }

    // The verdict.

    private func verdict(_ found: ElementResolution?, _ subject: Capture.Subject, _ isBlurred: Bool) -> Verdict {
        verdict(
            of: found.flatMap { things[$0.identifier] }, isNeighbor: found?.step == .neighbor, subject, isBlurred)
    }

    private func verdict(
        of thing: Int?, isNeighbor: Bool, _ subject: Capture.Subject, _ isBlurred: Bool
    ) -> Verdict {
        guard let thing else { return .nothing }
        if isSame(thing, subject, isBlurred) { return .right }
        guard isNeighbor else { return .wrong }
        return shelf.isAdjacent(thing, to: subject.thing) ? .beside : .far
    }

    /// Whether a row is the thing. At the top of a list, a copy beside the thing looks the same.
    private func isSame(_ row: Int, _ subject: Capture.Subject, _ isBlurred: Bool) -> Bool {
        if person.truth(row) == person.truth(subject.thing) { return true }
        return isBlurred && subject.isFirstVisible && content(row) == content(subject.thing)
    }

    private func content(_ thing: Int) -> Int { person.library.things[thing].content }

    /// Whether nothing distinguishes a thing from a copy that lies beside it on one of the two devices.
    private func isIndistinguishable(_ thing: Int) -> Bool {
        guard person.kind == .photos else { return false }
        let mine = source.aliases[thing]
        let own = Set(mine).intersection(shelf.aliases[thing])
        for copy in person.library.things.indices
        where copy != thing && content(copy) == content(thing) && person.truth(copy) != person.truth(thing) {
            let isThere = shelf.names[copy] != nil && shelf.isAdjacent(copy, to: thing)
            let isHere = source.names[copy] != nil && source.isAdjacent(copy, to: thing)
            if isThere {
                let shared = Set(mine).intersection(shelf.aliases[copy])
                if shared.isSuperset(of: shelf.names[thing] == nil ? [] : own),
                    !areOtherAssets(mine, shelf.aliases[copy])
                {
                    return true
                }
            }
            if isHere, shelf.names[thing] != nil {
                let shared = Set(source.aliases[copy]).intersection(shelf.aliases[thing])
                if shared.isSuperset(of: own),
                    !areOtherAssets(source.aliases[copy], shelf.aliases[thing])
                {
                    return true
                }
            }
        }
        return false
    }

    /// Whether a server has both photos, under different ids.
    private func areOtherAssets(_ one: [String], _ other: [String]) -> Bool {
        let ids = [one, other].map { $0.filter { $0.hasPrefix("server") } }
        return !ids[0].isEmpty && !ids[1].isEmpty && ids[0] != ids[1]
    }

    private var mode: String {
        let sides = (
            source: !person.ledgers[capture.device].states.isEmpty, asking: !person.ledgers[asking].states.isEmpty
        )
        let registered =
            switch sides {
            case (true, true): person.registering == .referred ? "only what archives refer to" : "both sides"
            case (false, true): "only the asking side"
            case (true, false): "only the saving side"
            case (false, false): "neither side yet"
            }
        return registered + (person.archivesHaveAliases ? ", aliases in archives" : ", aliases by registration alone")
    }

    // The steps of the service.

    private func note(
        _ served: ModelReference, _ subject: Capture.Subject, _ isBlurred: Bool, in score: inout Score
    ) {
        // A device's own archive keeps the identifiers of rows that the device does not have now. The runtime shows
        // nothing for them.
        guard let identifier = served.element.identifier, let row = things[identifier] else { return }
        let step = served.resolution?.step ?? .exact
        let isRight =
            isSame(row, subject, isBlurred) || (step == .neighbor && shelf.isAdjacent(row, to: subject.thing))
        var name = step.rawValue
        if served.resolution?.isAmbiguous == true { name += ", ambiguous" }
        let registered = person.ledgers[asking].elements.first { $0.identifier == identifier }?.aliases ?? []
        let shared = step == .alias ? Set(evidence(of: subject)).intersection(registered).count : 0
        let key = Score.Step(
            kind: person.kind, isFirstVisible: subject.isFirstVisible, name: name, sharedAliases: min(shared, 3))
        var sum = score.steps[key] ?? (0, 0, 0)
        sum.count += 1
        sum.right += isRight ? 1 : 0
        sum.confidence += served.resolution?.confidence ?? 1
        score.steps[key] = sum
    }

    /// The aliases of the reference, and the aliases that the source device registered for the item.
    private func evidence(of subject: Capture.Subject) -> [String] {
        let element = capture.references[subject.reference].element
        let ledger = person.ledgers[capture.device]
        let state = ledger.state(at: capture.writtenAt) ?? ledger.states.first
        return element.aliases + (state?.elements.first { $0.identifier == element.identifier }?.aliases ?? [])
    }

    // The causes of missing and wrong answers.

    private func cause(
        _ subject: Capture.Subject, _ verdict: Verdict, _ found: ElementResolution?, _ hasThing: Bool
    ) -> String {
        guard !hasThing else { return reason(subject) }
        if verdict == .far { return "the device lacks it" }
        let row = found.flatMap { things[$0.identifier] }
        let shares = row.map { !Set(source.aliases[subject.thing]).isDisjoint(with: shelf.aliases[$0]) } ?? false
        return shares ? "the device lacks it, and has another item with its alias" : "the device lacks it"
    }

    /// What the lists of both devices say about a thing that wasn't found.
    private func reason(_ subject: Capture.Subject) -> String {
        let order = source.hasOwnOrder || shelf.hasOwnOrder ? ", another order" : ""
        let row = shelf.rows.first { person.truth($0) == person.truth(subject.thing) } ?? subject.thing
        let common = Set(source.aliases[subject.thing]).intersection(shelf.aliases[row])
        if common.isEmpty { return "no alias in common" + order }
        func isSole(_ alias: String, in shelf: Shelf) -> Bool {
            shelf.rows.count { shelf.aliases[$0].contains(alias) } < 2
        }
        let (here, there) = (common.filter { isSole($0, in: source) }, common.filter { isSole($0, in: shelf) })
        if !here.intersection(there).isEmpty { return "a common alias is its own on both devices" + order }
        if here.isEmpty { return "shared aliases on \(there.isEmpty ? "both devices" : "the saving device")" + order }
        return "shared aliases on the asking device" + order
    }
}
