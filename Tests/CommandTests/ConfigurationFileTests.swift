import Testing

@testable import placekeeper

@Suite struct ConfigurationFileTests {
    static let options = [
        Option("data", "DIR", help: "", isSetting: true), Option("listen", "ADDRESS", help: "", isSetting: true),
        Option("idiom", "IDIOM", help: ""),
    ]

    @Test func readsSettingsCommentsAndBlankLines() throws {
        let text = "# where\r\ndata =  /var/lib/place keeper \n\n\tlisten=127.0.0.1:80=80\n"
        let file = try ConfigurationFile(text, options: Self.options, name: "f")
        #expect(file.values == ["data": "/var/lib/place keeper", "listen": "127.0.0.1:80=80"])
    }

    @Test(arguments: [("/var/lib/placekeeper", true), (nil, true), ("/tmp/test", false)])
    func usesTheInstalledDatabaseOnlyWithItsDirectory(directory: String?, isUsed: Bool) throws {
        let text = "data = /var/lib/placekeeper\ndatabase = postgres://a@b/c\nlisten = 127.0.0.1:80"
        var file = try ConfigurationFile(text, options: Subcommand.serve.options, name: ConfigurationFile.installed)
        file.dropDatabase(unlessDataIs: directory)
        #expect((file.values["database"] != nil) == isUsed)
        #expect(file.values["listen"] == "127.0.0.1:80")
    }

    @Test func listsASettingOnceIfSeveralCommandsHaveIt() {
        let failure = #expect(throws: CommandFailure.self) {
            try ConfigurationFile("port = 1", options: Self.options + Self.options, name: "f")
        }
        #expect(failure?.message == "f, line 1: there is no setting \"port\"; the settings are data, listen")
    }

    @Test func keepsTheRightLinesAndAllFaults() {
        let text = "data = a\nlisen = 1\ndata = b\nlisten = 8080\nnothing"
        let file = ConfigurationFile(faultyText: text, options: Self.options, name: "f")
        #expect(file.values == ["data": "a", "listen": "8080"])
        #expect(
            file.faults.map(\.message) == [
                "f, line 2: there is no setting \"lisen\"; did you mean listen?",
                "f, line 3: data is set twice; remove one line", "f, line 5: write `key = value`",
            ])
    }

    @Test(arguments: [
        ("data /var", "f, line 1: write `key = value`"),
        ("\nport = 80", "f, line 2: there is no setting \"port\"; the settings are data, listen"),
        ("lisen = 80", "f, line 1: there is no setting \"lisen\"; did you mean listen?"),
        ("idiom = pad", "f, line 1: there is no setting \"idiom\""),
        ("PLACEKEEPER_DATA = x", "f, line 1: there is no setting \"PLACEKEEPER_DATA\"; did you mean data?"),
        ("--Data = x", "f, line 1: there is no setting \"--Data\"; did you mean data?"),
        ("data = a\ndata = b", "f, line 2: data is set twice"),
    ])
    func namesTheWrongLine(text: String, says: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try ConfigurationFile(text, options: Self.options, name: "f")
        }
        #expect(failure?.exit == .configuration)
        #expect(failure?.message.hasPrefix(says) == true)
    }
}
