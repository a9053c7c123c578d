/// The tables of a simulation.
struct Report {
    let score: Score
    let seeds: ClosedRange<UInt64>
    let kinds: [Kind]

    var text: String {
        var lines = [
            "\(score.people) people, \(score.archives) archives, seeds \(seeds.lowerBound)…\(seeds.upperBound)"
        ]
        lines += ["", "Right / a neighbor beside it / a neighbor farther away / wrong / nothing, in percent"]
        func isCounted(_ subject: Score.Case) -> Bool { subject.isFirstVisible || !subject.isIndistinguishable }
        lines += ["", "Things that the requesting device has and has registered"]
        lines += shares(of: Approach.allCases) { $0.hasThing && $0.isRegistered && isCounted($0) }
        lines += [
            "", "Things that the requesting device has and has not registered (the runtime finds them by aliases)",
        ]
        lines += shares(of: [.placekeeper, .exhaustive]) { $0.hasThing && !$0.isRegistered && isCounted($0) }
        lines += ["", "Things that the requesting device lacks"]
        lines += shares(of: [.placekeeper, .exhaustive]) { !$0.hasThing && isCounted($0) }
        lines += ["", "Copies that nothing distinguishes from the copy beside them, selected"]
        lines += shares(of: [.placekeeper, .exhaustive]) { !isCounted($0) }
        lines += ["", "All references of all kinds"]
        lines += Approach.allCases.map { approach in
            let counts = score.verdicts(of: approach, where: isCounted)
            return "\(Self.padded(approach.rawValue, 24))  \(Self.row(counts))  of \(counts.values.reduce(0, +))"
        }
        lines += ["", "By registration: right of what the device has (exhaustive resolver), wrong of all"]
        lines += modes
        lines += ["", "By step: right of the served identifiers, with the mean of the served confidence"]
        lines += steps
        lines += ["", "The most frequent causes"]
        lines += causes(of: .placekeeper)
        lines += ["", "The most frequent causes, exhaustive resolver"]
        lines += causes(of: .exhaustive)
        let own = score.own.values.reduce(0, +)
        lines += ["", "Archives served to their own device: \(Self.row(score.own)) of \(own)"]
        return lines.joined(separator: "\n")
    }

    private func shares(of approaches: [Approach], where condition: (Score.Case) -> Bool) -> [String] {
        var lines: [String] = []
        for kind in kinds {
            for isFirstVisible in [true, false] {
                for approach in approaches {
                    let counts = score.verdicts(of: approach) {
                        $0.kind == kind && $0.isFirstVisible == isFirstVisible && condition($0)
                    }
                    let count = counts.values.reduce(0, +)
                    if count == 0 { continue }
                    lines.append(
                        "\(Self.group(kind, isFirstVisible))  \(Self.padded(approach.rawValue, 24))  "
                            + "\(Self.row(counts))  of \(count)")
                }
            }
        }
        return lines
    }

    private var modes: [String] {
        var lines: [String] = []
        let modes = Set(score.answered.keys.map(\.subject.mode)).sorted()
        for kind in kinds {
            for mode in modes {
                func counts(_ approach: Approach, _ all: Bool) -> [Verdict: Int] {
                    score.verdicts(of: approach) {
                        $0.kind == kind && $0.mode == mode && (all || $0.hasThing) && !$0.isIndistinguishable
                    }
                }
                let (own, reference) = (counts(.placekeeper, false), counts(.exhaustive, false))
                let all = counts(.placekeeper, true)
                let count = own.values.reduce(0, +)
                if count == 0 { continue }
                lines.append(
                    "\(Self.padded(kind.rawValue, 7)) \(Self.padded(mode, 56)) "
                        + "\(Self.share(.right, of: own)) (\(Self.share(.right, of: reference)))  "
                        + "\(Self.share(.wrong, of: all))  of \(count)")
            }
        }
        return lines
    }

    private var steps: [String] {
        let keys = score.steps.keys.sorted { one, other in
            let values = [one, other].map { key in
                "\(key.kind.rawValue) \(key.isFirstVisible ? 0 : 1) \(key.name) \(key.sharedAliases)"
            }
            return values[0] < values[1]
        }
        return keys.compactMap { key in
            guard let sum = score.steps[key] else { return nil }
            let aliases = key.name.hasPrefix("alias") ? "\(key.sharedAliases) shared" : ""
            return "\(Self.group(key.kind, key.isFirstVisible))  \(Self.padded(key.name, 18)) "
                + "\(Self.padded(aliases, 9)) \(Self.percent(sum.right, of: sum.count))  confidence "
                + "\(Self.rounded(sum.confidence / Double(sum.count) * 100))  of \(sum.count)"
        }
    }

    private func causes(of approach: Approach) -> [String] {
        var lines: [String] = []
        for kind in kinds {
            for verdict in [Verdict.nothing, .beside, .far, .wrong] {
                for isFirstVisible in [true, false] {
                    let causes = score.causes.filter {
                        $0.key.kind == kind && $0.key.approach == approach && $0.key.verdict == verdict
                            && $0.key.isFirstVisible == isFirstVisible
                    }
                    let sorted = causes.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
                    for (cause, count) in sorted.prefix(5) {
                        lines.append(
                            "\(Self.group(kind, isFirstVisible))  \(Self.padded(verdict.rawValue, 8)) "
                                + "\(Self.padded("\(count)", 6)) \(cause.text)")
                    }
                }
            }
        }
        return lines
    }

    private static func row(_ counts: [Verdict: Int]) -> String {
        Verdict.allCases.map { share($0, of: counts) }.joined(separator: " / ")
    }

    private static func share(_ verdict: Verdict, of counts: [Verdict: Int]) -> String {
        percent(counts[verdict] ?? 0, of: counts.values.reduce(0, +))
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "     –" : rounded(Double(part) / Double(whole) * 100)
    }

    /// A number with two decimal places, in six columns.
    private static func rounded(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return String(repeating: " ", count: max(0, 6 - text.count)) + text
    }

    private static func group(_ kind: Kind, _ isFirstVisible: Bool) -> String {
        "\(padded(kind.rawValue, 6)) \(padded(isFirstVisible ? "first visible" : "selection", 13))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension Report {
    /// All counts, in JSON.
    var json: String {
        let answered = score.answered.map { key, count in
            """
            {"kind": "\(key.subject.kind.rawValue)", "firstVisible": \(key.subject.isFirstVisible), \
            "has": \(key.subject.hasThing), "registered": \(key.subject.isRegistered), "mode": "\(key.subject.mode)", \
            "indistinguishable": \(key.subject.isIndistinguishable), "approach": "\(key.approach.rawValue)", \
            "verdict": "\(key.verdict.rawValue)", "count": \(count)}
            """
        }
        let steps = score.steps.map { key, sum in
            """
            {"kind": "\(key.kind.rawValue)", "firstVisible": \(key.isFirstVisible), "step": "\(key.name)", \
            "sharedAliases": \(key.sharedAliases), "count": \(sum.count), "right": \(sum.right), \
            "confidence": \(sum.confidence / Double(sum.count))}
            """
        }
        let causes = score.causes.map { key, count in
            """
            {"kind": "\(key.kind.rawValue)", "approach": "\(key.approach.rawValue)", \
            "firstVisible": \(key.isFirstVisible), "verdict": "\(key.verdict.rawValue)", "cause": "\(key.text)", "count": \(count)}
            """
        }
        func list(_ values: [String]) -> String { "[\n\(values.sorted().joined(separator: ",\n"))\n]" }
        return """
            {"people": \(score.people), "archives": \(score.archives), \
            "seeds": [\(seeds.lowerBound), \(seeds.upperBound)],
            "references": \(list(answered)),
            "steps": \(list(steps)),
            "causes": \(list(causes))}

            """
    }
}
