/// The results as text and as JSON.
struct Report {
    static let systems = [
        Tally.placekeeper, NewestUpload.name, NewestChange.name, Furthest.name, KeyValueStore.name,
    ]

    let tally: Tally
    let options: SimulationOptions

    private func counts(_ system: String) -> Counts { tally.systems[system] ?? Counts() }

    private func cases(_ cause: Cause) -> [Case] { tally.cases.filter { $0.cause == cause } }

    /// Whether the results reach the bar: wrong in at most a twentieth of the launches in which newest-upload-wins is
    /// wrong, nothing in at most 1 % of the launches, and each case explained.
    var reachesBar: Bool {
        let own = counts(Tally.placekeeper)
        return own.share(.wrong) <= counts(NewestUpload.name).share(.wrong) / 20 && own.share(.nothing) <= 0.01
            && cases(.unexplained).isEmpty
    }

    // MARK: - Text

    var text: String {
        let all = Standing.allCases.reduce(0) { $0 + counts(Tally.placekeeper).count($1) }
        let users = options.user.map { "user \($0)" } ?? "\(options.users) users"
        var lines = ["\(users), \(options.days) days, seed \(options.seed): \(all) launches", ""]
        lines.append(row("launches with known work", Answer.allCases.map(\.rawValue)))
        for system in Self.systems {
            lines.append(row(system, Answer.allCases.map { percent(counts(system).share($0)) }))
        }
        for standing in Standing.allCases where standing != .known {
            lines += ["", row("apart: \(standing.rawValue)", Answer.allCases.map(\.rawValue))]
            for system in Self.systems {
                lines.append(row(system, Answer.allCases.map { "\(counts(system).count(standing, $0))" }))
            }
        }
        lines += [
            "", "\(counts(Tally.placekeeper).count(.known)) launches with known work, \(tally.cases.count) wrong:",
        ]
        for cause in Cause.allCases {
            lines.append("\(cases(cause).count)  \(cause.rawValue)")
            for example in cases(cause).prefix(3) {
                lines.append(
                    "    --user \(example.user) --trace, day \(example.day), device \(example.device): \(example.text)")
            }
        }
        if options.isRereading {
            lines += ["", "silent moves backwards:"]
            lines += Self.systems.map { row($0, ["\(tally.movesBack[$0] ?? 0)"]) }
        }
        lines += ["", "The bar is \(reachesBar ? "reached" : "not reached")."]
        return lines.joined(separator: "\n")
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        ([name + padding(30 - name.count)] + cells.map { padding(10 - $0.count) + $0 }).joined()
    }

    private func padding(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) %"
    }

    // MARK: - JSON

    var json: String {
        let systems = Self.systems.map { system in
            let standings = Standing.allCases.map { standing in
                "\"\(standing.rawValue)\": {"
                    + Answer.allCases.map { "\"\($0.rawValue)\": \(counts(system).count(standing, $0))" }
                    .joined(separator: ", ") + "}"
            }
            let wrong = (0..<options.days).map { "\(tally.wrongByDay[system]?[$0] ?? 0)" }
            return "  {\"name\": \"\(system)\", \"wrongByDay\": [\(wrong.joined(separator: ", "))],\n   "
                + standings.joined(separator: ",\n   ") + "}"
        }
        let known = (0..<options.days).map { "\(tally.knownByDay[$0] ?? 0)" }
        let causes = Cause.allCases.map { "  \"\($0.rawValue)\": \(cases($0).count)" }
        return """
            {"users": \(options.users), "days": \(options.days), "seed": \(options.seed),
             "knownByDay": [\(known.joined(separator: ", "))],
             "systems": [
            \(systems.joined(separator: ",\n"))],
             "causes": {
            \(causes.joined(separator: ",\n"))}}

            """
    }
}
