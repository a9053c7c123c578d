/// A manual page: placekeeper(1), one for each command, and placekeeper.conf(5).
struct ManualPage: Sendable {
    /// The name of the page, such as `placekeeper-app-create`.
    var name: String
    var section: Int
    var text: String

    var fileName: String { "\(name).\(section)" }

    static func all(of groups: [CommandGroup]) -> [ManualPage] {
        let subcommands = groups.flatMap(\.subcommands)
        return [program(groups)] + subcommands.map { command($0, among: subcommands) } + [file(subcommands)]
    }

    static func program(_ groups: [CommandGroup]) -> ManualPage {
        var page = Roff("placekeeper", section: 1, summary: "restores a person's place in an app")
        page.section("SYNOPSIS")
        page.add(
            markup: "\(Roff.bold("placekeeper")) \(Roff.italic("COMMAND")) [\(Roff.italic("ARGUMENT …"))] "
                + "[\(Roff.bold("--"))\(Roff.italic("OPTION VALUE …"))]")
        page.section("DESCRIPTION")
        page.add(HelpText.purpose)
        page.paragraph()
        page.add(HelpText.sources)
        page.section("COMMANDS")
        page.add("Each command has a page of its own, such as placekeeper-serve(1) and placekeeper-app-create(1).")
        for group in groups {
            page.add(markup: ".SS \(Roff.escaped(group.title))")
            for subcommand in group.subcommands { page.item(usage(of: subcommand), subcommand.summary) }
        }
        exitStatus(&page)
        page.section("SEE ALSO")
        page.add(markup: reference("placekeeper.conf", 5))
        return ManualPage(name: "placekeeper", section: 1, text: page.text)
    }

    static func command(_ subcommand: Subcommand, among subcommands: [Subcommand]) -> ManualPage {
        let name = name(of: subcommand)
        var page = Roff(name, section: 1, summary: subcommand.summary)
        page.section("SYNOPSIS")
        let required = subcommand.options.filter(\.isRequired).map { " " + spelling(of: $0) }.joined()
        page.add(
            markup: "\(Roff.bold("placekeeper")) \(usage(of: subcommand))\(required) [\(Roff.italic("OPTION …"))]")
        if let discussion = subcommand.discussion {
            page.section("DESCRIPTION")
            page.add(discussion)
        }
        page.section("OPTIONS")
        for option in subcommand.allOptions {
            page.item(spelling(of: option) + (option.repeats ? " \\&..." : ""), HelpText.explanation(of: option))
        }
        page.section("EXAMPLES")
        for example in subcommand.examples { page.item(Roff.bold("placekeeper \(example.line)"), example.effect) }
        exitStatus(&page)
        page.section("SEE ALSO")
        let group = subcommand.name.split(separator: " ").first.map { $0 + " " } ?? ""
        let others = subcommands.filter { $0.name.hasPrefix(group) && $0.name != subcommand.name }
        let references = [reference("placekeeper", 1)] + others.map { reference(Self.name(of: $0), 1) }
        let file = subcommand.options.contains(where: \.isSetting) ? [reference("placekeeper.conf", 5)] : []
        page.add(markup: (references + file).joined(separator: ",\n"))
        return ManualPage(name: name, section: 1, text: page.text)
    }

    /// The page for the configuration file.
    static func file(_ subcommands: [Subcommand]) -> ManualPage {
        var page = Roff("placekeeper.conf", section: 5, summary: "settings of placekeeper")
        page.section("DESCRIPTION")
        page.add(
            """
            The file has lines of the form key = value, blank lines, and comments that begin with #.
            --config or PLACEKEEPER_CONFIG names it. Without them, it is \(ConfigurationFile.installed), if that exists.
            dev and generate do not read that file, because they do not use the data of the installed service.
            One file may have the settings of all commands. An unknown key is refused.
            """)
        page.paragraph()
        page.add(HelpText.sources)
        page.add("An empty variable counts as not set.")
        page.section("SETTINGS")
        var known: Set<String> = []
        for option in subcommands.flatMap(\.options) where option.isSetting && known.insert(option.name).inserted {
            let value = option.value ?? "true|false"
            page.item("\(Roff.bold(option.name)) = \(Roff.italic(value))", HelpText.explanation(of: option))
        }
        page.section("EXAMPLES")
        page.add(
            """
              # Behind a proxy with TLS
              listen = 127.0.0.1:8080
              url = https://places.example.com
              data = /var/lib/placekeeper
              client-address-field = X-Forwarded-For
              maximum-bytes = 10GB
            """)
        page.paragraph()
        page.add("placekeeper config check reports all problems of the settings.")
        page.section("SEE ALSO")
        page.add(markup: reference("placekeeper", 1) + ",\n" + reference("placekeeper-config-check", 1))
        return ManualPage(name: "placekeeper.conf", section: 5, text: page.text)
    }

    private static func name(of subcommand: Subcommand) -> String {
        (["placekeeper"] + subcommand.name.split(separator: " ")).joined(separator: "-")
    }

    private static func usage(of subcommand: Subcommand) -> String {
        ([Roff.bold(subcommand.name)] + subcommand.operands.map(Roff.italic)).joined(separator: " ")
    }

    private static func spelling(of option: Option) -> String {
        Roff.bold("--" + option.name) + (option.value.map { " " + Roff.italic($0) } ?? "")
    }

    private static func reference(_ name: String, _ section: Int) -> String { "\(Roff.bold(name))(\(section))" }

    private static func exitStatus(_ page: inout Roff) {
        page.section("EXIT STATUS")
        for code in HelpText.exitCodes { page.item(Roff.bold("\(code.exit.rawValue)"), code.meaning) }
    }
}
