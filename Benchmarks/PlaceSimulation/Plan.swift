/// Everything that happens in a household, decided before anything runs. Placekeeper and all rivals get the same plan,
/// so no answer of theirs changes the plan.
struct Plan: Sendable {
    /// A device of the household.
    struct Device: Sendable {
        var model: Model
        /// The person who uses the device first.
        var person: Int
        /// The device from whose backup this device is restored, and whether the backup has the client's files.
        var original: Int?
        var hasFilesOfOriginal = false
        /// The seconds by which the wall clock is wrong at the beginning.
        var clockError = 0.0
        /// Whether the person signs in only after the first work on the device.
        var signsInLate = false
    }

    /// An action of the person in a session.
    enum Action: Sendable, Hashable {
        /// The person works at a page.
        case work(Spot)
        /// The person scrolls, and does not work.
        case scroll(Int)
        /// A notification opens a page, and the person does not work.
        case open(Spot)
        /// The app goes to the background for a moment.
        case leave
    }

    struct Step: Sendable {
        /// The seconds since the step before.
        var after: Double
        var action: Action
    }

    /// The way in which a session ends.
    enum Ending: Sendable {
        /// The app goes to the background and sends. The system ends the process later.
        case ended
        /// The app goes to the background and sends. The next session continues the process.
        case suspended
        /// The process ends at once, before the app can send.
        case killed
    }

    struct Session: Sendable {
        var person: Int
        var device: Int
        /// Whether the service answers too late for the launch.
        var isSlow: Bool
        var steps: [Step]
        var ending: Ending
        /// The seconds between the last step and the end.
        var rest: Double
        /// Whether the view that launches goes away at once, and comes back.
        var leavesView = false
    }

    enum Kind: Sendable {
        case session(Session)
        /// The device loses or gets its connection.
        case connection(device: Int, isOnline: Bool)
        /// The system lets the app send in the background.
        case wake(device: Int)
        case update(device: Int, Release)
        /// The app gets a small update, and keeps the version of its state.
        case patch(device: Int, number: Int)
        /// A person or a time server sets the wall clock.
        case clock(device: Int, error: Double)
        case reboot(device: Int)
        /// The backup of the original is made, from which the device is restored later.
        case backup(device: Int)
        /// The device is restored from the backup.
        case restoreBackup(device: Int)
    }

    struct Event: Sendable {
        /// Seconds since the beginning.
        var at: Double
        var kind: Kind
    }

    var devices: [Device] = []
    /// The number of people: the user, and possibly another person who shares a pad.
    var people = 1
    /// Whether people sign in to accounts. Otherwise devices are linked.
    var hasAccounts = false
    /// Whether the app calls `noteInteraction()` and saves without an interaction. Otherwise it saves with `.now`.
    var notesInteractions = false
    /// Whether people reread and slip. The app then saves the progress in the book.
    var isRereading = false
    var release = Release(bundleVersion: 1)
    var events: [Event] = []
}
