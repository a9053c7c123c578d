import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import Testing

@testable import PlacekeeperRuntime

/// An object whose code ends the process. The test copies the folder in that moment, as the process would leave it.
@MainActor
@Suite("An object that ends the process while it is restored")
struct LeftOutObjectTests {
    private final class Screen: ViewController {
        var value = 0
        var onDecode: (() -> Void)?
        /// While the runtime restores what the screen contains and presents.
        var onContain: (() -> Void)?
        override func decodeContainment(with coder: StateDecoder) {
            onContain?()
            super.decodeContainment(with: coder)
        }
        override func encodeRestorableState(with coder: StateEncoder) { coder.encode(value, forKey: "value") }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            onDecode?()
            value = coder.decode(Int.self, forKey: "value") ?? 0
        }
    }

    private final class App: ApplicationLifeCycleDelegate {
        let stack = NavigationController()
        let first = Screen()
        let second = Screen()
        var roots: [any RestorableViewController] { [stack] }
        func loadInterface() {
            (stack.restorationIdentifier, first.restorationIdentifier) = ("Stack", "First")
            second.restorationIdentifier = "Second"
            stack.viewControllers = [first, second]
        }
        var onFinish: (() -> Void)?
        func applicationFinishedRestoringState() { onFinish?() }
        func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
        func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }
    }

    private func life(_ app: App, in folder: URL) -> RestorableApplication {
        RestorableApplication(
            app, environment: RestorationEnvironment(), storage: FileArchiveStorage(folder: folder),
            configuration: .init(device: RestorationContext(idiom: .phone)) { 0 })
    }

    private static func newFolder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("left-out-" + UUID().uuidString)
    }

    /// Saves the values 1 and 2, and launches. Returns the folder as it is while one screen decodes its state.
    private func folder(
        leftBy screen: KeyPath<App, Screen>, from saved: URL? = nil, isInContainment: Bool = false
    ) throws -> URL {
        let folder = saved ?? Self.newFolder()
        if saved == nil {
            let app = App()
            let life = life(app, in: folder)
            life.launch()
            (app.first.value, app.second.value) = (1, 2)
            try life.saveState()
        }
        let copy = Self.newFolder()
        let app = App()
        let end = { () -> Void in try? FileManager.default.copyItem(at: folder, to: copy) }
        if isInContainment { app[keyPath: screen].onContain = end } else { app[keyPath: screen].onDecode = end }
        life(app, in: folder).launch()
        try? FileManager.default.removeItem(at: folder)
        return copy
    }

    @Test("the next launch restores the others without it")
    func nextLaunchLeavesItOut() throws {
        let folder = try folder(leftBy: \.second)
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = App()
        let result = life(app, in: folder).launch()
        guard case .restored(let restoration) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(restoration.failed == ["Stack/Second"])
        #expect((app.first.value, app.second.value) == (1, 0))
        // The launch has ended well. Later launches of this version still leave the object out.
        let leftOut = FileArchiveStorage(folder: folder).readLeftOut(of: nil)
        #expect(leftOut.paths == ["Stack/Second"] && !leftOut.isNew)
        #expect(FileArchiveStorage(folder: folder).readLeftOut(of: "2").paths == [])
    }

    @Test("code that runs while an object gets its children is code of that object")
    func containmentBelongsToItsObject() throws {
        let folder = try folder(leftBy: \.second, isInContainment: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard case .restored(let restoration) = life(App(), in: folder).launch() else {
            Issue.record("nothing was restored")
            return
        }
        #expect(restoration.failed == ["Stack/Second"])
    }

    @Test("a second object is left out with the first")
    func secondIsLeftOutToo() throws {
        let folder = try folder(leftBy: \.first, from: folder(leftBy: \.second))
        defer { try? FileManager.default.removeItem(at: folder) }
        guard case .restored(let restoration) = life(App(), in: folder).launch() else {
            Issue.record("nothing was restored")
            return
        }
        #expect(restoration.failed == ["Stack/First", "Stack/Second"])
    }

    @Test("if no object's code ran, the archive is given up as before")
    func codeOfNoObject() throws {
        let folder = try folder(leftBy: \.second)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = Self.newFolder()
        defer { try? FileManager.default.removeItem(at: copy) }
        let app = App()
        app.onFinish = { try? FileManager.default.copyItem(at: folder, to: copy) }
        life(app, in: folder).launch()
        #expect(life(App(), in: copy).launch() == .crashedBefore)
    }
}
