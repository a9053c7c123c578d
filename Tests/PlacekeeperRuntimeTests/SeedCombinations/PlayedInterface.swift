import PlacekeeperRuntime

/// What a person sees of the played app. The oracle computes it, and `CombinationApp` shows it.
struct PlayedInterface: Equatable {
    /// A screen of a stack, or a presented one.
    struct Page: Equatable {
        /// What makes the screen at the next launch.
        enum Maker: Equatable {
            case launch, restorationClass, viewDidLoad, delegate
            case storyboard(String)
        }

        var identifier: String?
        var text = ""
        var maker = Maker.restorationClass

        /// The classes and the delegate make no page with this text.
        static let gone = "gone"

        static func == (first: Page, second: Page) -> Bool {
            (first.identifier, first.text) == (second.identifier, second.text)
        }
    }

    enum Sheet: Equatable {
        case page(Page)
        case stack([Page])
        case activity(identifier: String?, draft: String?)
        case logIn
    }

    /// The tabs and their stacks, from the root.
    var tabs = ["Home", "Settings"]
    var selectedTab = "Home"
    var stacks = [
        "Home": [Page(identifier: "List", maker: .launch)], "Settings": [Page(identifier: "Options", maker: .launch)],
    ]
    var sheet: Sheet?
    /// The list on the root of the tab Home: its rows, its selected rows and its scroll position.
    var rows = PlayedInterface.names
    var selection: [String] = []
    var offset = 0.0
    var x = 0.0
    /// The static list and the scroll view on the root of the tab Settings.
    var switches: [Int] = []
    var scroll = 0.0
    /// An object registered below the root of the tab Home.
    var filter = ""
    /// An object that the person created. Its class makes it again.
    var mark: String?
    /// A page in a window whose root has no identifier.
    var hidden = ""

    static let names = (0..<40).map { "row\($0)" }
    static let rowHeight = 44.0
    static let visibleHeight = 480.0

    /// The name of each visible row, with the hidden height above it.
    var visibleRows: [(name: String, hidden: Double)] {
        let first = Int(offset / Self.rowHeight)
        guard first < rows.count else { return [] }
        return rows[first...].enumerated().map { ($1, offset - Double(first + $0) * Self.rowHeight) }
            .filter { $0.1 > -Self.visibleHeight }
    }

    /// Whether the list is in front.
    var showsList: Bool { sheet == nil && selectedTab == "Home" && stacks["Home"]?.count == 1 }

    /// What is in front: the presented screen, or the top of the selected tab with what it shows.
    var front: String {
        if let sheet { return "\(sheet)" }
        let top = stacks[selectedTab]?.last
        var words = "\(selectedTab): \(top?.identifier ?? "-") \(top?.text ?? "")"
        if stacks[selectedTab]?.count == 1 {
            words += selectedTab == "Home" ? "\(visibleRows) \(selection) \(x) \(filter)" : "\(switches) \(scroll)"
        }
        return words
    }
}

/// A process of the played app, from its launch to its end.
struct PlayedProcess {
    enum Ending {
        case save
        /// The person types a text, and the app declines to save.
        case declineToSave
        /// The person types more than an archive may have.
        case saveTooMuch
        case unlock, completeRestoration, forceQuit
    }

    var idiom = UserInterfaceIdiom.phone
    var isCompact = true
    var version = "2"
    var now = 800_000_000.0
    var isDeveloperMode = false
    var isLocked = false
    // The app.
    var rows = PlayedInterface.names
    var tabs = ["Home", "Settings"]
    var siblings = 0
    var listsClasses = true
    var storyboards: Set = ["Main", "Extra"]
    var presentsLogIn = false
    /// Whether the person logs in, so that the log-in is dismissed.
    var logsIn = false
    var setsDataSourceLate = false
    var restores = true
    var minimumVersion = "1"
    var maximumAge = 30 * 86_400.0
    /// Whether the process crashes while it restores state.
    var crashes = false
    var extendsRestoration = false
    var endings: [Ending] = []

    /// The interface without any state.
    var fresh: PlayedInterface {
        var interface = PlayedInterface()
        interface.rows = rows
        interface.tabs = tabs
        interface.selectedTab = tabs[0]
        interface.stacks = interface.stacks.filter { tabs.contains($0.key) }
        interface.stacks["Home"]? += Array(repeating: .init(identifier: "List", maker: .launch), count: siblings)
        if presentsLogIn { interface.sheet = .logIn }
        return interface
    }
}

/// The result of a launch.
struct PlayedLaunch: Equatable {
    enum Result: String {
        case nothingSaved, declined, restored, incompatible, locked, crashedBefore
    }

    var result = Result.nothingSaved
    var interface: PlayedInterface
    var showsSnapshot = false
    /// Whether an archive is stored when the process ends.
    var hasArchive = false

    /// What is in the launch, a line for each fact.
    var facts: [String] {
        var facts = ["result \(result)", "snapshot \(showsSnapshot)", "archive \(hasArchive)"]
        facts += Mirror(reflecting: interface).children.filter { $0.label != "stacks" }.map {
            "\($0.label ?? "") \($0.value)"
        }
        for (tab, pages) in interface.stacks.sorted(by: { $0.key < $1.key }) {
            facts.append("\(tab) " + pages.map { "\($0.identifier ?? "-")=\($0.text)" }.joined(separator: " "))
        }
        return facts
    }
}

/// The processes of a sequence, and what the person left in the first one.
struct PlayedSequence {
    var left = PlayedInterface()
    /// Whether the app refers to the hidden page while it saves.
    var refersToHidden = false
    var ignoresSnapshot = false
    var processes = [PlayedProcess(endings: [.save]), PlayedProcess()]

    /// Changes all processes after the first.
    mutating func later(_ change: (inout PlayedProcess) -> Void) {
        for index in 1..<processes.count { change(&processes[index]) }
    }

    /// Inserts a process after the first, which differs from the last one by a change.
    mutating func insert(_ change: (inout PlayedProcess) -> Void) {
        var process = processes[processes.count - 1]
        change(&process)
        processes.insert(process, at: 1)
    }
}
