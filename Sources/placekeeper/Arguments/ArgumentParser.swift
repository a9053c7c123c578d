/// Parses a command line: `--name value`, `--name=value`, switches, operands, and `--` before operands that look like
/// options.
struct ArgumentParser: Sendable {
    /// The request in a command line.
    enum Request: Sendable {
        case run(Subcommand, Arguments)
        case help(Subcommand)
        /// Help for the commands whose names start with a word. Nil means help for the whole program.
        case overview(String?)
    }

    var subcommands: [Subcommand]

    func parse(_ line: [String]) throws(CommandFailure) -> Request {
        guard let first = line.first else {
            throw CommandFailure(.usage, "no command is given; placekeeper --help lists the commands")
        }
        if Self.isHelp(first) { return try help(on: Array(line.dropFirst())) }
        // Many programs print their version for these options, so they run the command `version`.
        if isSame(first, "--version") || isSame(first, "-v") { return try parse(["version"] + line.dropFirst()) }
        guard let (subcommand, rest) = subcommand(named: line) else {
            let words = line.prefix { !Self.isHelp($0) }
            let group = words.joined(separator: " ")
            if words.count < line.count, isGroup(group) { return .overview(group) }
            throw unknownCommand(line)
        }
        return try parse(rest, for: subcommand)
    }

    private static func isHelp(_ word: String) -> Bool { ["--help", "-h", "help"].contains { isSame($0, word) } }

    private func help(on line: [String]) throws(CommandFailure) -> Request {
        guard let first = line.first, !first.isOption else { return .overview(nil) }
        if let found = subcommand(named: line)?.subcommand { return .help(found) }
        let group = line.joined(separator: " ")
        guard isGroup(group) else { throw unknownCommand(line) }
        return .overview(group)
    }

    /// Whether longer command names start with these words, as with `app` and `admin token`.
    private func isGroup(_ words: String) -> Bool {
        subcommands.contains { $0.name.utf8.starts(with: (words + " ").utf8) }
    }

    /// Finds the command with the longest name at the start of the line. Returns it with the words after its name.
    private func subcommand(named line: [String]) -> (subcommand: Subcommand, rest: [String])? {
        for count in [3, 2, 1] where line.count >= count {
            let name = line.prefix(count).joined(separator: " ")
            if let found = subcommands.first(where: { isSame($0.name, name) }) {
                return (found, Array(line.dropFirst(count)))
            }
        }
        return nil
    }

    private func parse(_ line: [String], for subcommand: Subcommand) throws(CommandFailure) -> Request {
        var arguments = Arguments()
        var remaining = line[...]
        while let word = remaining.popFirst() {
            if isSame(word, "--") {
                arguments.operands += remaining
                break
            }
            guard word.isOption, !isSame(word, "-") else {
                arguments.operands.append(word)
                continue
            }
            if isSame(word, "-h") || isSame(word, "--help") { return .help(subcommand) }
            let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = String(word[..<(equals ?? word.endIndex)])
            guard let option = subcommand.allOptions.first(where: { isSame("--" + $0.name, name) }) else {
                throw unknownOption(name, of: subcommand)
            }
            guard option.repeats || arguments.flags[option.name] == nil else {
                throw CommandFailure(.usage, "--\(option.name) is given twice; give it once")
            }
            let inline = equals.map { String(word[word.utf8.index(after: $0)...]) }
            let value = try value(of: option, inline: inline, from: &remaining)
            arguments.flags[option.name, default: []].append(value)
        }
        try check(arguments, of: subcommand)
        return .run(subcommand, arguments)
    }

    private func value(
        of option: Option, inline: String?, from remaining: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        guard option.value != nil else {
            if inline == nil { return "" }
            throw CommandFailure(.usage, "--\(option.name) is a switch and takes no value")
        }
        if let inline { return inline }
        guard let next = remaining.first, !isSame(next, "--") else {
            throw CommandFailure(.usage, "--\(option.name) needs a value: \(option.spelling)")
        }
        remaining.removeFirst()
        return next
    }

    private func check(_ arguments: Arguments, of subcommand: Subcommand) throws(CommandFailure) {
        let advice = "placekeeper \(subcommand.name) --help shows how it is used"
        let operands = subcommand.operands.filter { !$0.hasPrefix("[") }.dropFirst(arguments.operands.count)
        let options = subcommand.options.filter { $0.isRequired && arguments.flags[$0.name] == nil }
        let missing = operands + options.map(\.spelling)
        guard missing.isEmpty else {
            let verb = missing.count == 1 ? "is" : "are"
            throw CommandFailure(.usage, "\(missing.joined(separator: ", ")) \(verb) missing; \(advice)")
        }
        let mayRepeat = subcommand.operands.last?.hasSuffix("…]") == true
        if arguments.operands.count > subcommand.operands.count, !mayRepeat {
            let word = quoted(arguments.operands[subcommand.operands.count])
            throw CommandFailure(.usage, "\(word) is one argument too many; \(advice)")
        }
    }
}

extension String {
    /// Whether the text starts with a dash.
    var isOption: Bool { utf8.first == UInt8(ascii: "-") }
}
