import PlacekeeperRuntime

/// A step of a sequence: something that the person or the app does before the state is saved (`given`), or that differs
/// at a later launch (`when`).
struct SeedStep: CustomStringConvertible, Sendable {
    enum Kind { case given, when }

    let kind: Kind
    let row: Int
    let words: String
    let change: @Sendable (inout PlayedSequence) -> Void

    var description: String { "\(kind) \(words) (row \(row))" }

    private static func given(
        _ row: Int, _ words: String, _ change: @escaping @Sendable (inout PlayedInterface) -> Void
    ) -> SeedStep {
        SeedStep(kind: .given, row: row, words: words) { change(&$0.left) }
    }

    private static func given(
        _ row: Int, _ words: String, sequence change: @escaping @Sendable (inout PlayedSequence) -> Void
    ) -> SeedStep {
        SeedStep(kind: .given, row: row, words: words, change: change)
    }

    private static func when(
        _ row: Int, _ words: String, _ change: @escaping @Sendable (inout PlayedProcess) -> Void
    ) -> SeedStep {
        SeedStep(kind: .when, row: row, words: words) { $0.later(change) }
    }

    private static func when(
        _ row: Int, _ words: String, sequence change: @escaping @Sendable (inout PlayedSequence) -> Void
    ) -> SeedStep {
        SeedStep(kind: .when, row: row, words: words, change: change)
    }

    private typealias Page = PlayedInterface.Page

    static let all: [SeedStep] = [
        given(6, "a text on the first screen") { $0.stacks["Home"]?[0].text = "top" },
        given(13, "two pushed pages with the identifier of the root") {
            $0.stacks["Home"]? += [Page(identifier: "List", text: "a"), Page(identifier: "List", text: "b")]
        },
        given(15, "a pushed page that the delegate makes") {
            $0.stacks["Home"]?.append(Page(identifier: "Delegated", text: "d", maker: .delegate))
        },
        given(17, "a pushed page of a storyboard") {
            $0.stacks["Home"]?.append(Page(identifier: "Main page", text: "m", maker: .storyboard("Main")))
        },
        given(17, "a pushed page of another storyboard, whose template has the same identifier") {
            $0.stacks["Home"]?.append(Page(identifier: "Extra page", text: "e", maker: .storyboard("Extra")))
        },
        given(22, "a pushed page whose class makes none, below another") {
            $0.stacks["Home"]? += [Page(identifier: "Item", text: Page.gone), Page(identifier: "Above", text: "above")]
        },
        given(64, "a pushed page that its class makes, in the other tab") {
            $0.stacks["Settings"]?.append(Page(identifier: "Detail", text: "detail"))
        },
        given(71, "a pushed page that sets its identifier when its view is loaded") {
            $0.stacks["Home"]?.append(Page(identifier: "Late", text: "late", maker: .viewDidLoad))
        },
        given(73, "a pushed page without an identifier, below another") {
            $0.stacks["Home"]? += [Page(identifier: nil, text: "u"), Page(identifier: "Over", text: "over")]
        },
        given(21, "a sheet") { $0.sheet = .page(Page(identifier: "Note", text: "note")) },
        given(21, "a sheet whose class makes none") { $0.sheet = .page(Page(identifier: "Note", text: Page.gone)) },
        given(85, "a sheet with a stack") {
            $0.sheet = .stack([Page(identifier: "Inner", text: "inner"), Page(identifier: "More", text: "more")])
        },
        given(85, "a sheet with a stack whose pages do not come back") {
            $0.sheet = .stack([Page(identifier: "Inner", text: Page.gone)])
        },
        given(59, "a mail draft") { $0.sheet = .activity(identifier: "Share", draft: "Hello") },
        given(58, "an activity sheet") { $0.sheet = .activity(identifier: "Share", draft: nil) },
        given(67, "a log-in screen") { $0.sheet = .logIn },
        given(24, "the second tab selected") { $0.selectedTab = "Settings" },
        given(44, "two selected rows") { $0.selection = ["row12", "row14"] },
        given(42, "a scrolled list") { $0.offset = 12 * PlayedInterface.rowHeight + 10 },
        given(89, "a list scrolled sideways") { $0.x = 30 },
        given(43, "two selected rows in a list without model identifiers") { $0.switches = [1, 3] },
        given(78, "a scrolled view") { $0.scroll = 200 },
        given(35, "a filter below the first screen") { $0.filter = "red" },
        given(36, "an object that its class makes again") { $0.mark = "mark" },
        given(8, "a reference to a page of a container without an identifier") {
            $0.left.hidden = "hidden"
            $0.refersToHidden = true
        },
        given(7, "a page of a container without an identifier") { $0.hidden = "forgotten" },
        given(56, "no snapshot at the next launch") { $0.ignoresSnapshot = true },
        given(1, "a later text that the app declines to save") { $0.processes[0].endings.append(.declineToSave) },
        given(84, "a later text that no archive can have") { $0.processes[0].endings.append(.saveTooMuch) },

        when(25, "the tabs are in another order") { $0.tabs.reverse() },
        when(16, "the second tab is no longer there") { $0.tabs = ["Home"] },
        when(81, "the app sets another page with the root's identifier") { $0.siblings = 1 },
        when(82, "the app presents a log-in screen") { $0.presentsLogIn = true },
        when(82, "the app presents a log-in screen, and the person logs in at the last launch") {
            $0.later { $0.presentsLogIn = true }
            $0.processes[$0.processes.count - 1].logsIn = true
        },
        when(83, "the app lists no class") { $0.listsClasses = false },
        when(17, "one storyboard is missing") { $0.storyboards = ["Main"] },
        when(54, "the rows are in reverse order") { $0.rows.reverse() },
        when(72, "the top row and a selected row are gone") { $0.rows.removeAll { $0 == "row12" || $0 == "row0" } },
        when(54, "all rows are gone") { $0.rows = [] },
        when(40, "rows that were gone are there again at the last launch") {
            $0.processes[$0.processes.count - 1].rows = PlayedInterface.names
        },
        when(87, "the list gets its data source in the finished callback") { $0.setsDataSourceLate = true },
        when(62, "the device has another idiom") { $0.idiom = .pad },
        when(86, "the device has another layout") { $0.isCompact = false },
        when(61, "the app accepts later versions only") { $0.minimumVersion = "3" },
        when(60, "a month has passed") { $0.now += 31 * 86_400 },
        when(5, "the app declines to restore") { $0.restores = false },
        when(47, "a launch crashed while it restored") { $0.insert { ($0.crashes, $0.logsIn) = (true, false) } },
        when(48, "the person ended the app") { $0.processes[0].endings.append(.forceQuit) },
        when(49, "developer mode") { for index in $0.processes.indices { $0.processes[index].isDeveloperMode = true } },
        when(46, "a launch that saved nothing") { $0.insert { $0.endings = [] } },
        when(20, "a launch that saved again") { $0.insert { $0.endings = [.save] } },
        when(84, "a launch that could not save") { $0.insert { $0.endings = [.saveTooMuch] } },
        when(52, "a launch of the locked device") { $0.insert { $0.isLocked = true } },
        when(75, "a launch of the locked device, which saved after it was unlocked") {
            $0.insert {
                $0.isLocked = true
                $0.endings = [.unlock, .save]
            }
        },
        when(69, "a launch that ended before restoration was complete") { $0.insert { $0.extendsRestoration = true } },
        when(69, "a launch that completed restoration later") {
            $0.insert {
                $0.extendsRestoration = true
                $0.endings = [.completeRestoration]
            }
        },
        when(79, "a launch that saved before restoration was complete") {
            $0.insert {
                $0.extendsRestoration = true
                $0.endings = [.save, .completeRestoration]
            }
        },
    ]
}
