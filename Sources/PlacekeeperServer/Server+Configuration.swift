package import PlacekeeperCore
package import PlacekeeperService

extension Server {
    /// The settings of the REST layer.
    package struct Configuration: Sendable {
        /// The version that `/version` returns.
        package var version = "0"
        /// The name of this instance, for operators (`Instance.name`).
        package var instance = "localhost"
        /// The store's library and its version, such as `SQLite 3.51.3`, for `/readyz`.
        package var storeLibrary: String?
        /// The maximum size of the store in bytes, for `/admin/api/about`. Nil if unlimited.
        package var maximumBytes: Int?
        /// Returns warnings for `/readyz` about faults that don't make the service unusable. Anyone may read them.
        package var warnings: @Sendable () -> [String] = { [] }
        /// Whether to answer `GET /metrics`.
        package var answersMetrics = false
        /// Returns further metrics of the process.
        package var metrics: @Sendable () -> [Metric] = { [] }
        /// Returns what `/admin/api/about` says about the disk and the backups.
        package var host: @Sendable () -> Host = { Host() }
        /// Whether to log every request, and not only internal errors.
        package var logsAccess = false
        /// The number of registrations that one client network may make in a burst. Loopback addresses are exempt.
        package var registrationBurst = 100
        /// How long a client network waits to regain one registration.
        package var registrationInterval = Duration.seconds(10)
        /// The proxies whose header fields the server trusts.
        package var trustedProxies = IPNetwork.loopback
        /// The field in which a trusted proxy sends its client's address, such as `X-Forwarded-For`. Nil if there is no
        /// such proxy.
        package var clientAddressField: String?
        /// The field in which a trusted proxy sends the scheme that its client used, such as `X-Forwarded-Proto`. Nil
        /// if there is no such proxy.
        package var clientSchemeField: String?
        /// The maximum size of the cache of responses with the latest archive, in bytes.
        package var latestBytes = 32 << 20
        /// The maximum nesting depth of a JSON body.
        package var jsonDepth = 64
        /// The maximum number of values in a JSON body: about twice the number of values in the largest delta.
        package var jsonValues = 200_000

        /// Pauses between two reads of a stream of an app's events.
        package var pauseOfAppEvents: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(250)) }

        package init() {}
    }

    /// Facts about the process's surroundings. A fact is nil if it is unknown.
    package struct Host: Sendable {
        package struct Disk: Sendable {
            package var freeBytes: Int
            package var totalBytes: Int

            package init(freeBytes: Int, totalBytes: Int) {
                self.freeBytes = freeBytes
                self.totalBytes = totalBytes
            }
        }

        package struct Backup: Sendable {
            package var endedAt: Timestamp
            package var milliseconds: Int
            package var bytes: Int

            package init(endedAt: Timestamp, milliseconds: Int, bytes: Int) {
                self.endedAt = endedAt
                self.milliseconds = milliseconds
                self.bytes = bytes
            }
        }

        /// A backup that was restored and compared without a difference.
        package struct BackupProof: Sendable {
            package var at: Timestamp
            /// When the backup was made. Nil for a file that wasn't the last backup.
            package var endedAt: Timestamp?

            package init(at: Timestamp, endedAt: Timestamp?) {
                self.at = at
                self.endedAt = endedAt
            }
        }

        package struct BackupFailure: Sendable {
            package var at: Timestamp
            package var message: String

            package init(at: Timestamp, message: String) {
                self.at = at
                self.message = message
            }
        }

        /// The file system with the data directory.
        package var disk: Disk?
        /// The last backup that succeeded.
        package var lastBackup: Backup?
        package var backupProof: BackupProof?
        /// Why the last attempt of a backup failed.
        package var backupFailure: BackupFailure?

        package init() {}
    }
}
