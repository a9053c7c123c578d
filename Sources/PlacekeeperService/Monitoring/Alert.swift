package import PlacekeeperCore

/// Something that a person must look at.
package struct Alert: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A version of an app fails to restore the archives of another, and the breaker only alerts.
        case restoresFailing = "restores-failing"
        /// The breaker stopped these restores.
        case restoresStopped = "restores-stopped"
        case diskLow = "disk-low"
        /// Many attempts to log in as an administrator fail.
        case logInStorm = "log-in-storm"
        /// The store can't be read or written.
        case storeFailing = "store-failing"
        /// The last attempt to make a backup failed.
        case backupFailed = "backup-failed"
        /// There were backups, and the last one is old.
        case backupOld = "backup-old"
    }

    package var kind: Kind
    /// What the alert is about, such as a directory. Two alerts differ in their kind or their subject.
    package var subject: String
    /// A sentence for the person. It may change while the alert lasts.
    package var message: String

    package init(_ kind: Kind, _ subject: String, _ message: String) {
        self.kind = kind
        self.subject = subject
        self.message = message
    }
}

/// The start or the end of an alert.
package struct AlertChange: Sendable, Hashable {
    package var alert: Alert
    package var startedAt: Timestamp
    /// Nil at the start.
    package var endedAt: Timestamp?

    package init(_ alert: Alert, startedAt: Timestamp, endedAt: Timestamp? = nil) {
        self.alert = alert
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}
