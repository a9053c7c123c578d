/// Says what the seeds promise for a sequence, from the words of docs/seeds.md. Numbers are rows.
struct SeedOracle {
    private struct Saved {
        var interface: PlayedInterface
        var list: List
        var sheet: PlayedInterface.Sheet?
        var hidden: String?
        var process: PlayedProcess
        var showsSnapshot: Bool
    }

    /// The rows that a list saves: those on screen, or those for which it still waits (87).
    private struct List {
        var selection: [String] = []
        var visible: [(name: String, hidden: Double)] = []
    }

    private var stored: Saved?
    private var attempts = 0

    /// Returns the result of each launch.
    static func launches(of sequence: PlayedSequence) -> [PlayedLaunch] {
        var oracle = SeedOracle()
        return sequence.processes.enumerated().map { oracle.play($1, isFirst: $0 == 0, of: sequence) }
    }

    private mutating func play(_ process: PlayedProcess, isFirst: Bool, of sequence: PlayedSequence) -> PlayedLaunch {
        var launch = PlayedLaunch(interface: process.fresh)
        if process.logsIn, process.presentsLogIn { launch.interface.sheet = nil }
        let found = stored
        var awaited = List()
        var awaitedSheet: PlayedInterface.Sheet?
        launch.result = result(process)
        if launch.result == .restored, let found {
            launch.interface = restored(found, in: process)
            awaited = self.awaited(found.list, in: process)
            if process.presentsLogIn, !process.logsIn { awaitedSheet = sheet(found.sheet, in: process) }
            let isComplete = awaited.selection.isEmpty && awaited.visible.isEmpty
            launch.showsSnapshot =
                found.showsSnapshot && found.process.isCompact == process.isCompact && !process.presentsLogIn
                && launch.interface.front == found.interface.front
                && (isComplete || !found.interface.showsList)
        }
        if process.crashes, launch.result == .restored {
            attempts += 1
            launch.hasArchive = true
            return launch
        }
        var isExtended = launch.result == .restored && process.extendsRestoration
        // 46, 79: the archive is for one launch, 49 and 76: except in developer mode.
        let isUsed = [.restored, .declined, .incompatible].contains(launch.result)
        var isReplaced = false
        if isUsed, !process.isDeveloperMode, !isExtended { stored = nil }
        if launch.result == .crashedBefore {
            attempts = 0
            if !process.isDeveloperMode { stored = nil }
        }
        var interface = isFirst ? sequence.left : launch.interface
        if isFirst { launch.interface = interface }
        for ending in process.endings {
            switch ending {
            case .save where launch.result == .locked: break  // 52, 75
            case .save:
                stored = Saved(
                    interface: interface, list: list(interface, awaited), sheet: awaitedSheet ?? interface.sheet,
                    hidden: sequence.refersToHidden ? interface.hidden : nil, process: process,
                    showsSnapshot: !sequence.ignoresSnapshot && hasSnapshot(interface, sequence))
                isReplaced = true
                attempts = 0
            case .declineToSave, .unlock: break  // 1
            case .saveTooMuch:
                // 84: the good archive stays. That of another idiom was discarded for good.
                if stored == nil, launch.result != .incompatible, isUsed { stored = found }
            case .completeRestoration:
                if isExtended, !isReplaced, !process.isDeveloperMode { stored = nil }  // 69, 79
                isExtended = false
            case .forceQuit:
                if !process.isDeveloperMode { stored = nil }  // 48, 49
            }
            if ending == .declineToSave { interface.stacks["Home"]?[0].text = "declined" }
        }
        // The process ended while it restored.
        if isExtended, !isReplaced, !process.isDeveloperMode { attempts += 1 }  // 47, 49
        launch.hasArchive = stored != nil
        return launch
    }

    private func result(_ process: PlayedProcess) -> PlayedLaunch.Result {
        if process.isLocked { return .locked }  // 52
        guard let stored else { return .nothingSaved }
        if attempts >= 1 { return .crashedBefore }  // 47
        let isRefused =
            !process.restores || stored.process.version < process.minimumVersion
            || process.now - stored.process.now > process.maximumAge
        if isRefused { return .declined }  // 1, 5, 60, 61, 86
        return stored.process.idiom == process.idiom ? .restored : .incompatible  // 62
    }

    /// 57: no snapshot of a screen without an identifier, such as the log-in (67) and the activity sheet (58).
    private func hasSnapshot(_ interface: PlayedInterface, _ sequence: PlayedSequence) -> Bool {
        guard sequence.left.hidden.isEmpty || sequence.refersToHidden else { return false }
        return switch interface.sheet {
        case .page(let page): page.identifier != nil
        case .stack(let pages): pages.last?.identifier != nil
        case .activity(let identifier, let draft): identifier != nil && draft != nil
        case .logIn: false
        case nil: interface.stacks[interface.selectedTab]?.last?.identifier != nil
        }
    }

    private func restored(_ saved: Saved, in process: PlayedProcess) -> PlayedInterface {
        var shown = process.fresh
        let old = saved.interface
        for tab in process.tabs {  // 25
            guard let stack = old.stacks[tab] else { continue }
            let pages = comingBack(stack, in: process)
            if !pages.isEmpty { shown.stacks[tab] = pages }
        }
        if process.tabs.contains(old.selectedTab) { shown.selectedTab = old.selectedTab }  // 24
        if !process.presentsLogIn || process.logsIn { shown.sheet = sheet(saved.sheet, in: process) }  // 82
        if process.tabs.contains("Settings") { (shown.switches, shown.scroll) = (old.switches, old.scroll) }  // 43, 78
        shown.filter = old.filter  // 34, 35
        if process.listsClasses { shown.mark = old.mark }  // 36
        if let hidden = saved.hidden { shown.hidden = hidden }  // 8
        shown.x = old.x  // 89
        shown.selection = process.rows.filter(saved.list.selection.contains)  // 40, 44
        // 42, 72: the first visible row that still exists is where it was.
        if let row = saved.list.visible.first(where: { process.rows.contains($0.name) }),
            let index = process.rows.firstIndex(of: row.name)
        {
            shown.offset = max(0, Double(index) * PlayedInterface.rowHeight + row.hidden)
        }
        return shown
    }

    /// Returns the saved rows for which the list waits, because they are not in its data.
    private func awaited(_ list: List, in process: PlayedProcess) -> List {
        var awaited = List(selection: list.selection.filter { !process.rows.contains($0) })
        if let top = list.visible.first, !process.rows.contains(top.name) { awaited.visible = list.visible }
        return awaited
    }

    private func list(_ interface: PlayedInterface, _ awaited: List) -> List {
        List(
            selection: interface.selection + awaited.selection,
            visible: awaited.visible.isEmpty ? interface.visibleRows : awaited.visible)
    }

    private func comesBack(_ page: PlayedInterface.Page, in process: PlayedProcess) -> Bool {
        guard page.identifier != nil else { return false }  // 6, 73
        switch page.maker {
        case .launch: return true  // 16, 64, 81
        // 14
        case .restorationClass, .viewDidLoad: return process.listsClasses && page.text != PlayedInterface.Page.gone
        case .delegate: return page.text != PlayedInterface.Page.gone  // 15
        case .storyboard(let name): return process.storyboards.contains(name)  // 17
        }
    }

    /// 22: the stack ends below the first page that does not come back.
    private func comingBack(_ stack: [PlayedInterface.Page], in process: PlayedProcess) -> [PlayedInterface.Page] {
        Array(stack.prefix { comesBack($0, in: process) })
    }

    private func sheet(_ sheet: PlayedInterface.Sheet?, in process: PlayedProcess) -> PlayedInterface.Sheet? {
        switch sheet {
        case .page(let page): return comesBack(page, in: process) ? sheet : nil  // 21
        case .stack(let pages):
            let pages = comingBack(pages, in: process)
            return process.listsClasses && !pages.isEmpty ? .stack(pages) : nil  // 85
        case .activity(let identifier, let draft): return identifier == nil || draft == nil ? nil : sheet  // 58, 59
        case .logIn, nil: return nil  // 67
        }
    }
}
