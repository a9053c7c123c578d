import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperPostgres
import PlacekeeperSQLite
import PlacekeeperService
import Testing

@testable import placekeeper

/// Plants each fault that a test cannot make on a machine: a full disk, a wrong clock, a server with other settings.
@Suite struct DoctorTests {
    private func problems(_ findings: [Finding]) -> [String] {
        #expect(!findings.isEmpty)
        for finding in findings { #expect((finding.result == .problem) == (finding.action != nil), "\(finding)") }
        return findings.filter { $0.result == .problem }.map(\.text)
    }

    private static let disk = DiskCheck(
        freeBytes: 50_000_000_000, totalBytes: 100_000_000_000, totalInodes: 1_000_000, freeInodes: 900_000,
        usedBytes: 1_000_000_000, maximumBytes: 10_000_000_000)

    @Test func findsAFullDisk() {
        #expect(problems(Self.disk.findings) == [])
        var disk = Self.disk
        disk.freeBytes = 4_000_000_000
        #expect(problems(disk.findings) == ["only 4000 MB of 100000 MB are free"])
        (disk.freeBytes, disk.totalBytes) = (900_000_000, 1_000_000_000)
        #expect(problems(disk.findings) == ["only 900 MB of 1000 MB are free"])
        disk = Self.disk
        disk.freeInodes = 10_000
        #expect(problems(disk.findings) == ["only 10000 of 1000000 inodes are free"])
        // A file system that counts no inodes.
        (disk.totalInodes, disk.freeInodes) = (0, 0)
        #expect(problems(disk.findings) == [])
        disk.usedBytes = 9_500_000_000
        #expect(problems(disk.findings) == ["the database has 9500 MB, and maximum-bytes is 10000 MB"])
    }

    @Test func findsAWrongClock() {
        let now = 1_796_000_000
        #expect(problems(MachineCheck.clock(isSynchronized: true, now: now)) == [])
        #expect(problems(MachineCheck.clock(isSynchronized: nil, now: now)) == [])
        #expect(problems(MachineCheck.clock(isSynchronized: false, now: now)).count == 1)
        #expect(problems(MachineCheck.clock(isSynchronized: true, now: 0)) == ["the clock is years behind"])
    }

    @Test func findsALowLimitOfOpenFiles() {
        #expect(problems(MachineCheck.files(limit: 4096, isOfService: true)) == [])
        #expect(problems(MachineCheck.files(limit: nil, isOfService: true)) == [])
        #expect(
            problems(MachineCheck.files(limit: 4095, isOfService: true)).first?.hasPrefix("the service may") == true)
        #expect(problems(MachineCheck.files(limit: 1024, isOfService: false)).count == 1)
    }

    @Test func findsANetworkFileSystem() {
        #expect(DirectoryCheck.networkFileSystems[0x6969] == "NFS")
        #expect(problems([DirectoryCheck.networkFileSystem("NFS", "/data")]).first?.contains("is on NFS") == true)
    }

    private static func sqlite(
        version: String = "3.40.1", schema: Int = 10, usesLog: Bool = true
    ) -> SQLiteCheck {
        SQLiteCheck(
            libraryVersion: version,
            database: .success(SQLiteStore.Inspection(schemaVersion: schema, currentVersion: 10, usesLog: usesLog)),
            logBytes: 60_000_000)
    }

    @Test func findsFaultsOfSQLite() {
        #expect(problems(Self.sqlite().findings) == [])
        #expect(problems(Self.sqlite(schema: 9).findings).first?.contains("schema version 9") == true)
        #expect(problems(Self.sqlite(usesLog: false).findings).first?.contains("no write-ahead log") == true)
        #expect(problems(SQLiteCheck(database: nil).findings) == ["the data directory has no database"])
        let failed = SQLiteCheck(database: .failure(.corrupt("The file is damaged.")))
        #expect(problems(failed.findings) == ["the file is damaged"])
        var long = Self.sqlite()
        long.logBytes = 2_000_000_000
        #expect(problems(long.findings) == ["the write-ahead log has 2000 MB"])
    }

    /// The versions with the WAL-reset race (decision 31).
    @Test(arguments: [
        ("3.40.1", true), ("3.44.5", true), ("3.44.6", false), ("3.50.6", true), ("3.50.7", false), ("3.51.2", true),
        ("3.51.3", false), ("3.52.0", false),
    ])
    func saysWhetherAStrangerCanLoseCommits(version: String, canLose: Bool) throws {
        var check = Self.sqlite(version: version)
        #expect(check.findings.first?.text.contains("WAL-reset race") == canLose)
        check.strangers = [(7, "sqlite3")]
        let text = try #require(problems(check.findings).first)
        #expect(text.contains("the program sqlite3, process 7") && text.contains("lose commits") == canLose)
    }

    private static let unit = [
        "LoadState": "loaded", "ActiveState": "active", "UnitFileState": "enabled", "NeedDaemonReload": "no",
        "NRestarts": "0", "Result": "success",
    ]

    @Test(arguments: [
        ("NRestarts", "0", ""), ("LoadState", "not-found", ""), ("ActiveState", "failed", "has failed"),
        ("UnitFileState", "disabled", "it is disabled"), ("UnitFileState", "masked", "it is masked"),
        ("NeedDaemonReload", "yes", "has changed"), ("NRestarts", "3", "3 times"),
    ])
    func findsFaultsOfTheUnit(name: String, value: String, text: String) {
        var unit = Self.unit
        unit[name] = value
        let found = problems(UnitCheck.findings(unit.map { "\($0.key)=\($0.value)\n" }.joined()))
        #expect(text.isEmpty ? found == [] : found.count == 1 && found[0].contains(text), "\(found)")
    }

    @Test func repeatsWhatTheServiceSays() {
        #expect(problems(ReadinessCheck.findings(status: 200, body: "ok\nSQLite 3.40.1\n", at: "http://a")) == [])
        let warned = ReadinessCheck.findings(status: 200, body: "ok\nwarning: the clock\n", at: "http://a")
        #expect(problems(warned) == ["the clock"])
        let failed = ReadinessCheck.findings(status: 503, body: "No store.", at: "http://a")
        #expect(problems(failed) == ["http://a/readyz answers 503: No store."])
    }

    private static let proxy = ProxyCheck(
        url: "https://places.example.com", addressField: "X-Forwarded-For", schemeField: "X-Forwarded-Proto")

    private func answer(
        address: String = "203.0.113.7", isForwarded: Bool = true, scheme: String = "https",
        host: String = "places.example.com"
    ) -> String {
        """
        {"name": "placekeeper", "version": "1", "request": {"address": "\(address)", "isForwarded": \(isForwarded), \
        "scheme": "\(scheme)", "host": "\(host)"}}
        """
    }

    @Test func findsFaultsOfTheProxy() {
        #expect(problems(Self.proxy.findings(answer: answer())) == [])
        let faults: [(String, String)] = [
            (answer(isForwarded: false), "no field X-Forwarded-For"),
            (answer(address: ProxyCheck.forgedAddress), "clients choose their address"),
            (answer(scheme: "http"), "count as http"), (answer(host: "127.0.0.1:8080"), "changes the field Host"),
            (#"{"name": "placekeeper", "version": "0.1.0"}"#, "this version"), ("<html>", "this version"),
        ]
        for (answer, text) in faults {
            let found = problems(Self.proxy.findings(answer: answer))
            #expect(found.count == 1 && found[0].contains(text), "\(found)")
        }
        var proxy = Self.proxy
        proxy.addressField = nil
        #expect(problems(proxy.findings(answer: answer())).first?.contains("count as one") == true)
        proxy = Self.proxy
        proxy.url = "http://places.example.com"
        #expect(problems(proxy.findings(answer: answer())).first?.contains("over http counts as https") == true)
        #expect(problems(proxy.findings(answer: answer(scheme: "http"))) == [])
    }

    private static func record(failed: Bool = false) -> BackupRecord {
        var record = BackupRecord()
        record.success = BackupRecord.Success(
            endedAt: Time(milliseconds: 1_000_000_000), milliseconds: 1000, file: "/backup", bytes: 4096, sha256: "")
        if failed { record.failure = BackupRecord.Failure(at: Time(milliseconds: 1), message: "no space") }
        return record
    }

    private func backups(_ record: BackupRecord?, size: Int? = nil, after hours: Int64 = 0) -> [String] {
        problems(
            BackupCheck.findings(
                record, presentSize: size, at: Timestamp(milliseconds: 1_000_000_000 + hours * 3_600_000)))
    }

    @Test func findsFaultsOfTheBackups() {
        #expect(backups(Self.record(), size: 4096, after: 25) == [])
        #expect(backups(Self.record()) == [], "the file may have been moved to another machine")
        #expect(backups(nil) == ["no backup was made"])
        #expect(backups(Self.record(), after: 26) == ["the last backup is 26 hours old"])
        #expect(backups(Self.record(failed: true)).first?.contains("failed: no space") == true)
        #expect(backups(Self.record(), size: 4095).first?.contains("has 4095 bytes") == true)
    }

    private static func server(_ name: String = "", _ value: String = "") -> PostgresStore.Inspection {
        var facts = PostgresStore.Inspection(
            serverVersion: 150_018, schemaVersion: 5, currentVersion: 5, maximumConnections: 100,
            settings: [
                "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "transaction_read_only": "off",
            ])
        if !name.isEmpty { facts.settings[name] = value }
        return facts
    }

    @Test func findsFaultsOfPostgreSQL() {
        #expect(problems(DatabaseCheck.findings(Self.server(), connections: 16)) == [])
        for (name, value) in [
            ("fsync", "off"), ("full_page_writes", "off"), ("synchronous_commit", "off"),
            ("transaction_read_only", "on"),
        ] {
            #expect(problems(DatabaseCheck.findings(Self.server(name, value), connections: nil)).count == 1, "\(name)")
        }
        #expect(problems(DatabaseCheck.findings(Self.server(), connections: 100)).first?.contains("allows 100") == true)
        for (version, text) in [(nil, "no tables"), (4, "schema version 4"), (6, "later version")] as [(Int64?, String)]
        {
            var facts = Self.server()
            facts.schemaVersion = version
            let found = problems(DatabaseCheck.findings(facts, connections: nil))
            #expect(found.count == 1 && found[0].contains(text), "\(found)")
        }
    }
}
