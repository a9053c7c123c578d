import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSQLite
import PlacekeeperTokens

/// The files with keys and passwords, and the erasure log.
enum KeyFileCheck {
    /// - Parameter mayOpen: whether the database can be opened without a migration.
    static func findings(_ arguments: Arguments, mayOpen: Bool) async -> [Finding] {
        var findings = password(arguments)
        let directory = arguments.value(of: .data) ?? ""
        do throws(StoreError) {
            _ = try await ErasureFile(path: directory + "/" + ErasureFile.fileName).entries()
        } catch  where error.code == .corrupt {
            findings.append(
                .problem(
                    "keys", "erasures.log is damaged: \(clause(error.message))",
                    do: "put back the copy of erasures.log from the other machine"))
        } catch {}
        guard mayOpen else { return findings + [.skipped("keys", "the apps' key files are in the database")] }
        do throws(CommandFailure) {
            let opened = try await Wiring.database(of: arguments, mayCreate: false)
            let apps = try? await opened.service.apps.apps()
            await opened.service.upkeep.close()
            for app in apps ?? [] {
                guard let path = app.settings.signIn.keysFile else { continue }
                findings += self.findings(on: path, of: app.bundleIdentifier)
            }
        } catch {
            findings.append(.skipped("keys", "the apps cannot be read: \(error.message)"))
        }
        return findings.orOK("keys", "all can be used")
    }

    static func findings(on path: String, of app: String) -> [Finding] {
        do throws(JSONWebKeyError) {
            _ = try KeyFile.read(path).keySet()
            return []
        } catch {
            return [
                .problem(
                    "keys", "the key file \(quoted(path)) of \(app) cannot be used: \(error.message)",
                    do: "correct the file, and look with app check-keys; the service reads it again by itself")
            ]
        }
    }

    private static func password(_ arguments: Arguments) -> [Finding] {
        guard let path = arguments.value(of: .databasePassword),
            let status = try? FileStatus.of(path, followingLink: true), status.permissions & 0o077 != 0
        else { return [] }
        return [
            .problem(
                "keys", "other users of the machine have rights to the password file \(quoted(path))",
                do: "chmod 600 \(shellQuoted(path))")
        ]
    }
}
