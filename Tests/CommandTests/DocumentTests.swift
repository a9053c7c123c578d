import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compares docs/commands.md, docs/policy.md and docs/operating.md with the command's settings and output.
@Suite struct DocumentTests {
    static func document(_ name: String) throws -> String {
        let file = #filePath.replacing("Tests/CommandTests/DocumentTests.swift", with: "docs/" + name)
        return String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    }

    /// Returns the cells of the table row that begins with `first`.
    static func row(_ first: String, in document: String) -> [String]? {
        document.split(separator: "\n").first { $0.hasPrefix("|\(first)|") }
            .map { $0.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
    }

    @Test(arguments: AppSetting.all.map(\.key))
    func documentsEverySettingOfAnAppWithItsDefault(key: String) throws {
        let setting = try #require(AppSetting.all.first { $0.key == key })
        let row = try #require(Self.row("`\(key)`", in: Self.document("policy.md")))
        #expect(row.count == 4)
        #expect(row[2] == setting.show(App.Settings()))
        // Lowercase words are literal values. DevEventText in capitals are placeholders.
        let words = setting.values.split(separator: "|").filter { $0.first?.isLowercase == true }
        for word in words { #expect(row[1].contains(word)) }
    }

    @Test func documentsEverySettingOfACommandWithItsDefault() throws {
        let document = try Self.document("commands.md")
        for option in Set(Command.parser.subcommands.flatMap(\.allOptions)) where option.isSetting {
            let line = document.split(separator: "\n").first { $0.contains("|`\(option.variable)`|") }
            let row = try #require(line, "\(option.name)")
            #expect(row.hasPrefix("|`--\(option.name)"))
            if let initial = option.initial { #expect(row.contains("|`\(initial)`|")) }
        }
    }

    /// The pages of the manual have the date.
    @Test func hasTheDateOfTheChangelog() throws {
        #expect(try Self.document("../CHANGELOG.md").contains("\n## [\(Version.number)] - \(Version.date)\n"))
    }

    /// The files of the document, and the file of the package as it is and with the settings in its comments.
    @Test func acceptsTheSettingsFilesOfTheOperatingDocumentAndThePackage() throws {
        let package = try Self.document("../deploy/placekeeper.conf")
        let files =
            try Self.document("operating.md").split(separator: "```ini\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }.filter { file in
                !["[Service]", "[Timer]"].contains { file.contains($0) }
            }
            + [package[...], package.replacing(/#(?=[a-z-]+ = )/, with: "")[...]]
        #expect(files.count == 4)
        for file in files {
            var arguments = Arguments()
            arguments.file = try ConfigurationFile(
                String(file), options: Subcommand.serve.options, name: "operating.md")
            _ = try (arguments.listenAddress(), arguments.serverConfiguration())
        }
    }

    @Test func documentsEveryReasonOfThePolicy() throws {
        let document = try Self.document("policy.md")
        let codes: [Reason.Code] = [
            .idiomNotAccepted, .layoutDiffers, .platformDiffers, .stateVersionDiffers, .stateVersionNewer,
            .bundleVersionNewer, .bundleVersionBelowMinimum, .systemVersionNewer, .tooOld, .noPlace, .placeNotAllowed,
            .quarantined, .abandoned, .restoresStopped,
        ]
        for code in codes {
            let row = try #require(Self.row("`\(code.rawValue)`", in: document), "\(code.rawValue)")
            #expect(["full", "place"].contains(row[1]), "\(code.rawValue)")
        }
    }

    /// The names of the members of a JSON object and of its inner objects, such as `settings.policy.allowsPlace`.
    struct Members: Decodable {
        var names: Set<String> = []

        init(from decoder: any Decoder) throws {
            if let members = try? [String: Members](from: decoder) {
                for (name, value) in members { names.formUnion([name] + value.names.map { "\(name).\($0)" }) }
            } else if let elements = try? [Members](from: decoder) {
                names = elements.reduce(into: []) { $0.formUnion($1.names) }
            }
        }
    }

    /// Returns the member names of the first JSON block that follows `text` in docs/commands.md.
    static func members(after text: String) throws -> Set<String> {
        let rest = try #require(try document("commands.md").split(separator: text).dropFirst().first)
        let block = try #require(rest.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
        return try JSONDecoder().decode(Members.self, from: Data(block.utf8)).names
    }

    @Test func printsAnAppWithTheDocumentedMembers() throws {
        var app = App(
            id: .random(SystemRandom()), bundleIdentifier: "com.example.photos", publishableKey: "pk_",
            createdAt: Timestamp(milliseconds: 0))
        app.settings.policy.acceptedIdioms = ["pad": ["phone"]]
        app.settings.stoppedRestores = [
            StoppedRestore(
                sourceVersion: "41", targetVersion: "42", idiom: "pad", until: app.createdAt, by: .administrator)
        ]
        app.dataSources = ["photos": DataSource(scope: .registered)]
        let printed = try JSONDecoder().decode(Members.self, from: JSONEncoder().encode(AppReport(app)))
        #expect(printed.names == (try Self.members(after: "`app create` and `app policy` print")))
    }

    /// Removes the names that come from the archive, and keeps the names that the command defines.
    static let inspectionNames: @Sendable (Set<String>) -> Set<String> = { names in
        let own = ["topLevel.", "place.", "references.", "restorationClasses.", "objects.entries."]
        return names.filter { name in !own.contains { name.hasPrefix($0) } }
    }

    @Test func printsInspectionsAndDifferencesWithTheDocumentedMembers() throws {
        let context = Context(idiom: .phone, layout: .compact, bundleVersion: "42")
        let sample = SampleArchive(context: context, savedAt: Timestamp(milliseconds: 0))
        let inspection = try ArchiveInspection(reading: sample.encoded())
        let printed = try JSONDecoder().decode(Members.self, from: Data(inspection.json.utf8)).names
        let described = try Self.members(after: "`inspect` prints the archive.")
        #expect(Self.inspectionNames(printed) == Self.inspectionNames(described))

        var newer = sample
        newer.context.bundleVersion = "43"
        let difference = ArchiveDifference(from: inspection, to: try ArchiveInspection(reading: newer.encoded()))
        let changes = try JSONDecoder().decode(Members.self, from: Data(difference.json.utf8)).names
        #expect(changes == (try Self.members(after: "`diff` prints an array")))
    }
}
