import Glibc
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct BufferedWALTests {
    /// A connection that writes, and a connection of another reader.
    private struct Pair {
        let directory: DataDirectory
        let writing: Connection
        let reading: Connection

        init() throws {
            directory = try DataDirectory()
            writing = try Connection(path: directory.database)
            try writing.configureWriter(lockTimeout: .seconds(2))
            reading = try Connection(path: directory.database)
            try writing.execute("CREATE TABLE filler (number INTEGER PRIMARY KEY, bytes)")
        }

        var logSize: Int {
            var status = stat()
            return stat(directory.database + "-wal", &status) == 0 ? Int(status.st_size) : 0
        }
    }

    @Test func writesWholeCommitBeforeOtherConnectionsSeeIt() throws {
        let pair = try Pair()
        // Without a sync, only the last page of the commit makes the log write its bytes.
        try pair.writing.execute("PRAGMA synchronous = OFF")
        for number in 1...50 {
            try pair.writing.execute("INSERT INTO filler VALUES (\(number), hex(randomblob(\(number * 700))))")
            #expect(try pair.reading.value("SELECT sum(length(bytes)) FROM filler") == "\(number * (number + 1) * 700)")
        }
        #expect(try pair.reading.value("PRAGMA integrity_check") == "ok")
    }

    @Test func readsPagesOfAnUnfinishedTransactionBackFromTheLog() throws {
        let pair = try Pair()
        // With a page cache of 10 pages, SQLite writes pages to the log before the commit, and reads them again.
        try pair.writing.execute("PRAGMA cache_size = 10; BEGIN IMMEDIATE")
        for number in 1...300 {
            try pair.writing.execute("INSERT INTO filler VALUES (\(number), zeroblob(5000))")
            try pair.writing.execute("UPDATE filler SET bytes = zeroblob(6000) WHERE number = \(number / 2 + 1)")
        }
        #expect(try pair.writing.value("SELECT count(*) FROM filler WHERE length(bytes) = 6000") == "151")
        #expect(try pair.reading.value("SELECT count(*) FROM filler") == "0")
        try pair.writing.execute("COMMIT")
        #expect(try pair.reading.value("SELECT count(*) FROM filler") == "300")
        #expect(try pair.reading.value("PRAGMA integrity_check") == "ok")
    }

    @Test func keepsNothingOfARolledBackTransaction() throws {
        let pair = try Pair()
        try pair.writing.execute(
            "PRAGMA cache_size = 10; BEGIN IMMEDIATE; INSERT INTO filler VALUES (1, zeroblob(900000))")
        try pair.writing.execute("ROLLBACK; INSERT INTO filler VALUES (2, 'kept')")
        #expect(try pair.reading.values("SELECT number FROM filler") == ["2"])
        #expect(try pair.reading.value("PRAGMA integrity_check") == "ok")
    }

    /// After a rollback, another process may write to the places in the log where the first one's pages would be.
    @Test func overwritesNoCommitOfAnotherConnectionAfterARollback() throws {
        let pair = try Pair()
        let other = try Connection(path: pair.directory.database)
        try pair.writing.execute("PRAGMA cache_size = 10")
        for round in 1...20 {
            try pair.writing.execute("BEGIN IMMEDIATE; INSERT INTO filler VALUES (\(round * 1000), zeroblob(80000))")
            try pair.writing.execute("ROLLBACK")
            try other.execute("INSERT INTO filler VALUES (\(round), zeroblob(50000))")
            #expect(try pair.writing.value("SELECT count(*) FROM filler") == "\(round)")
            #expect(try pair.reading.value("SELECT count(*) FROM filler") == "\(round)")
        }
        try pair.writing.execute("INSERT INTO filler VALUES (500, 'last')")
        #expect(try other.value("SELECT count(*) FROM filler") == "21")
        #expect(try other.value("PRAGMA integrity_check") == "ok")
    }

    @Test func storesCommitsOfManyPages() throws {
        let pair = try Pair()
        let before = pair.logSize
        try pair.writing.execute("INSERT INTO filler VALUES (1, zeroblob(3000000))")
        #expect(pair.logSize - before > 3_000_000)
        #expect(try pair.reading.value("SELECT length(bytes) FROM filler") == "3000000")
        #expect(try pair.reading.value("PRAGMA integrity_check") == "ok")
    }
}
