import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let transferToPostgreSQL = Subcommand(
        name: "transfer to-postgresql", summary: "copy all data of a data directory to a PostgreSQL database",
        options: [.data, .database, .databasePassword, .json],
        discussion: """
            Stop the service first. The PostgreSQL database must be empty. The command writes all data in one transaction,
            reads the data again, and commits only if both databases have the same digest. So the PostgreSQL database is
            still empty after a failure. The SQLite database stays as it is, but it gets no later data. Then start the
            service with --database. Keep the data directory, because it has the erasure log.
            """,
        examples: [
            (
                "transfer to-postgresql --data DIR --database postgres://user@host/database",
                "copies the data of DIR, and prints the rows of each table and both digests"
            )
        ]
    ) { arguments throws(CommandFailure) in
        let transfer = try TransferCommand(arguments)
        guard Files.exists(transfer.file) else {
            throw CommandFailure(
                .unavailable,
                "there is no database in \(quoted(transfer.directory)); give its directory with --data DIR")
        }
        try transfer.lockDirectory()
        try transfer.requireExclusiveAccess()
        try await transfer.createTables()
        let destination = try transfer.converting { () throws(StoreError) in
            try Wiring.transferDestination(transfer.database, directory: transfer.directory)
        }
        // From here on, a failure must end the transaction.
        do throws(CommandFailure) {
            try await transfer.prepare(try await Wiring.open(directory: transfer.directory), to: "PostgreSQL")
        } catch {
            destination.abandon()
            throw error
        }
        try transfer.run(to: destination, next: "Start the service with --database and") {
            () throws(StoreError) in
            try SQLiteTransferSource(directory: transfer.directory, compression: DeflatedBlobs())
        }
        return .success
    }

    static let transferToSQLite = Subcommand(
        name: "transfer to-sqlite", summary: "copy all data of a PostgreSQL database to a data directory",
        options: [.data, .database, .databasePassword, .replace, .json],
        discussion: """
            Stop all instances of the service first. The command writes a new SQLite database beside the database of the
            data directory, reads it again, and compares the digests of both databases. Only then the new database gets its
            name. With --replace the old SQLite database is deleted at this moment, and cannot be brought back. The
            PostgreSQL database stays as it is, but it gets no later data. Then start the service without --database. Use
            the data directory that an instance used, because it has the erasure log; add the lines of the other instances'
            logs to it.
            """,
        examples: [
            (
                "transfer to-sqlite --data DIR --database postgres://user@host/database",
                "copies the data into DIR, which has no database"
            ),
            (
                "transfer to-sqlite --data DIR --database postgres://user@host/database --replace",
                "replaces the database of DIR after the copy was compared"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        let transfer = try TransferCommand(arguments)
        let replaces = try arguments.isOn(.replace)
        let isNew = try Files.makeDirectory(transfer.directory)
        // After a failure, delete a new directory unless it contains files.
        defer { if isNew { rmdir(transfer.directory) } }
        try transfer.lockDirectory()
        try transfer.requireExclusiveAccess()
        guard replaces || !Files.exists(transfer.file) else {
            throw CommandFailure(
                .failure,
                "there is a database in \(quoted(transfer.directory)); give another directory, or --replace to delete it"
            )
        }
        let opened = try await Wiring.open(transfer.database, directory: transfer.directory)
        try await transfer.prepare(opened, to: "SQLite")
        let source = try transfer.converting { () throws(StoreError) in
            try Wiring.transferSource(transfer.database, directory: transfer.directory)
        }
        let destination = try transfer.converting { () throws(StoreError) in
            try SQLiteTransferDestination(
                directory: transfer.directory, compression: DeflatedBlobs(), replaces: replaces)
        }
        try transfer.run(to: destination, next: "Start the service without --database, and with") { source }
        return .success
    }
}

extension Option {
    fileprivate static let replace = Option("replace", help: "replace the database of the data directory")
}

/// The steps that `to-postgresql` and `to-sqlite` share.
private struct TransferCommand {
    let arguments: Arguments
    let directory: String
    let database: PostgresAddress
    private let start = ContinuousClock.now

    init(_ arguments: Arguments) throws(CommandFailure) {
        guard let database = try arguments.database() else {
            throw CommandFailure(.usage, "give the PostgreSQL database with --database postgres://user@host/database")
        }
        self.arguments = arguments
        self.database = database
        directory = arguments.value(of: .data) ?? ""
    }

    /// The path of the SQLite database.
    var file: String { directory + "/" + SQLiteStore.fileName }

    /// Keeps services and commands out of the directory until this process ends.
    func lockDirectory() throws(CommandFailure) {
        guard try DirectoryLock.take(directory) else {
            throw CommandFailure(.unavailable, "the data directory \(quoted(directory)) cannot be opened")
        }
        try DatabaseLock.takeAlone(directory)
    }

    func requireExclusiveAccess() throws(CommandFailure) {
        try converting { () throws(StoreError) in try Wiring.requireExclusiveAccess(database, directory: directory) }
    }

    /// Creates the tables of the PostgreSQL database, and checks that it stores writes. Without the check, a missing
    /// standby would block the transfer only at its end.
    func createTables() async throws(CommandFailure) {
        let opened = try await Wiring.open(database, directory: directory)
        let upkeep = opened.service.upkeep
        let result: Result<Void, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await opened.ask { _ async throws(ServiceError) in try await upkeep.check() })
        } catch {
            result = .failure(error)
        }
        let warnings = upkeep.warnings
        await upkeep.close()
        try result.get()
        guard let warning = warnings.first else { return }
        throw CommandFailure(
            .unavailable, "the PostgreSQL database does not store writes; look after its standby (\(warning))")
    }

    /// Erases the users listed in the erasure log, records the transfer, and closes the source.
    func prepare(_ source: Wiring.Opened, to kind: String) async throws(CommandFailure) {
        let result: Result<Void, CommandFailure>
        do throws(CommandFailure) {
            try await source.resumeErasures()
            let apps = try await source.ask { service async throws(ServiceError) in try await service.apps.apps() }
            // Otherwise, transferring an empty database could replace a database that has data.
            guard !apps.isEmpty else {
                throw CommandFailure(
                    .failure, "the source has no apps, so nothing was transferred; look at --data and --database")
            }
            for app in apps { try await source.record(.transferred, in: app.id, detail: "to \(kind)") }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await source.service.upkeep.close()
        try result.get()
    }

    /// Copies all data, and prints the report.
    func run(
        to destination: any TransferDestination, next: String,
        from makeSource: () throws(StoreError) -> any TransferSource
    ) throws(CommandFailure) {
        let progress = Progress()
        defer { progress.end() }
        let result = try converting { () throws(StoreError) in
            let source: any TransferSource
            do throws(StoreError) {
                source = try makeSource()
            } catch {
                destination.abandon()
                throw error
            }
            return try Transfer(hashing: SystemHashing(), report: progress.show).run(from: source, to: destination)
        }
        progress.end()
        let report = TransferReport(result, time: ContinuousClock.now - start)
        let advice = "\(next) --data \(quoted(directory)), which has the erasure log."
        try Output.show(report, as: report.text(advice), for: arguments)
    }

    func converting<Value>(_ body: () throws(StoreError) -> Value) throws(CommandFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            if error.code == .exists {
                throw CommandFailure(.failure, "the database has data already; give an empty database")
            }
            let cause = error.cause.map { " (\($0))" } ?? ""
            let exit: Exit = [.corrupt, .tooNew].contains(error.code) ? .failure : .unavailable
            throw CommandFailure(exit, clause(error.message) + cause)
        }
    }
}

extension Progress {
    @Sendable fileprivate func show(_ step: Transfer.Step) {
        switch step {
        case .copying(let table, let rows, let count): show("copying \(table): \(rows) of \(count)")
        case .comparing(let table, let rows, let count): show("comparing \(table): \(rows) of \(count)")
        case .storing: show("storing")
        }
    }
}
