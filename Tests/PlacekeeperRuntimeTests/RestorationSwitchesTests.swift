import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct RestorationSwitchesTests {
    private final class Lines {
        var lines: [String] = []
    }

    private let storage = InMemoryArchiveStorage()

    private func app(_ switches: RestorationSwitches, _ lines: Lines = Lines()) -> LivingApp {
        LivingApp(storage) {
            let now = $0.now
            $0 = RestorableApplication.Configuration(device: $0.device, switches: switches, now: now)
            $0.console = { lines.lines.append($0) }
        }
    }

    /// Launches an app, pushes a page and saves the state.
    private func savePage() throws {
        let app = LivingApp(storage)
        app.application.launch()
        app.navigation.push(LookUpTests.Made("Page"))
        try app.application.saveState()
    }

    @Test(
        "seed 76 · the environment or the user defaults switch logging and developer mode on", .tags(.seed),
        arguments: [
            ([:], [:], false, false),
            (["StateRestorationDebugLogging": "1"], [:], true, false),
            (["StateRestorationDeveloperMode": "YES"], [:], false, true),
            ([:], ["StateRestorationDebugLogging": "true", "StateRestorationDeveloperMode": "on"], true, true),
            (["StateRestorationDebugLogging": "0"], ["StateRestorationDebugLogging": "1"], false, false),
            (["StateRestorationDebugLogging": ""], ["StateRestorationDeveloperMode": "no"], false, false),
        ] as [([String: String], [String: String], Bool, Bool)])
    func readsSwitches(
        environment: [String: String], defaults: [String: String], isLogging: Bool, isDeveloperMode: Bool
    ) {
        let switches = RestorationSwitches(environment: environment) { defaults[$0] }
        #expect(switches.isLogging == isLogging)
        #expect(switches.isDeveloperMode == isDeveloperMode)
    }

    @Test("seed 76 · the switches are read from the process's environment and user defaults", .tags(.seed))
    func readsSwitchesOfTheProcess() async {
        // The code runs in its own process, so no other test reads the changed environment.
        await #expect(processExitsWith: .success) {
            setenv("StateRestorationDebugLogging", "YES", 1)
            UserDefaults.standard.setVolatileDomain(
                ["StateRestorationDeveloperMode": true], forName: UserDefaults.argumentDomain)
            #expect(RestorationSwitches.ofProcess() == RestorationSwitches(isLogging: true, isDeveloperMode: true))
            unsetenv("StateRestorationDebugLogging")
            #expect(RestorationSwitches.ofProcess() == RestorationSwitches(isDeveloperMode: true))
        }
    }

    @Test("seed 76 · the console gets each step, in addition to the app's own log", .tags(.seed))
    func logsToTheConsole() throws {
        try savePage()
        let lines = Lines()
        let app = app(RestorationSwitches(isLogging: true), lines)
        app.application.launch()
        #expect(
            lines.lines
                == [
                    "found Root, which already existed", "found Root/List, which already existed",
                    "found Root/Page by its restoration class", "decoded Root", "decoded Root/List",
                    "decoded Root/Page",
                    "restoring is complete", "launched: 3 restored, 0 missing, 0 failed",
                    "discarded the archive",
                ].map { "state restoration: \($0)" })
        #expect(app.journal.events.map { "state restoration: \($0)" } == lines.lines)

        // The console still gets each step after the app changes its own log.
        let other = Journal()
        app.environment.log = other
        try app.application.saveState()
        #expect(other.events.count == 4)
        #expect(lines.lines.suffix(4).prefix(3).allSatisfy { $0.hasPrefix("state restoration: saved Root") })
        #expect(lines.lines.last?.hasPrefix("state restoration: wrote the archive") == true)
        #expect(lines.lines.count == 13)
    }

    @Test("seed 76 · without the switch, nothing is written to the console", .tags(.seed))
    func writesNothingToTheConsoleByDefault() throws {
        try savePage()
        let lines = Lines()
        let app = app(RestorationSwitches(isDeveloperMode: true), lines)
        app.application.launch()
        #expect(app.stack == ["List", "Page"])
        #expect(lines.lines == [])
    }

    @Test("seed 76 · the built-in console log writes to standard error by default", .tags(.seed))
    func logsToTheStandardError() async throws {
        // The code runs in its own process, so nothing else writes to the standard error of this process.
        let process = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let app = LivingApp(InMemoryArchiveStorage()) { $0.isLogging = true }
                app.application.launch()
                _ = try? app.application.saveState()
                app.application.launch()
            }
        }
        let output = String(decoding: try #require(process).standardErrorContent, as: UTF8.self)
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("state restoration: ") }
        #expect(lines.first == "state restoration: launched: nothing was saved")
        #expect(lines.contains("state restoration: decoded Root/List"))
        #expect(lines.contains("state restoration: launched: 2 restored, 0 missing, 0 failed"))
        #expect(lines.last == "state restoration: discarded the archive")
    }

    @Test func escapesControlCharactersInConsoleLines() {
        let lines = Lines()
        ConsoleLog { lines.lines.append($0) }.record(.decoded(path: "a\u{1B}[2J\nb"))
        #expect(lines.lines == ["state restoration: decoded a\\u{1b}[2J\\u{a}b"])
    }

    @Test("seed 76 · a crash in developer mode keeps the archive", .tags(.seed))
    func keepsTheArchiveAfterACrash() throws {
        try savePage()
        let saved = try #require(storage.archive)
        let switches = RestorationSwitches(environment: ["StateRestorationDeveloperMode": "1"])
        // The process ends while it restores: the next process finds what is stored at that moment.
        let crashing = app(switches)
        var unfinished = 0
        crashing.decodes = { unfinished = (try? storage.readAttempts()) ?? 0 }
        crashing.application.launch()
        #expect(unfinished == 1)
        try storage.writeAttempts(unfinished)

        let afterCrash = app(switches)
        #expect(afterCrash.application.launch() == .crashedBefore)
        #expect(afterCrash.stack == ["List"])
        #expect(storage.archive == saved)
        #expect(storage.quarantinedArchive == saved)
        let later = app(switches)
        later.application.launch()
        #expect(later.stack == ["List", "Page"])
        // The next save replaces the archive, but not its copy in quarantine.
        try later.application.saveState()
        #expect(storage.quarantinedArchive == saved)
    }

    @Test("seed 49 · in developer mode the archive survives a kill while restoration is extended", .tags(.seed))
    func restoresAgainAfterAKill() throws {
        try savePage()
        let killed = app(RestorationSwitches(isDeveloperMode: true))
        killed.decodes = { killed.environment.extendStateRestoration() }
        killed.application.launch()
        let next = app(RestorationSwitches(isDeveloperMode: true))
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
    }
}
