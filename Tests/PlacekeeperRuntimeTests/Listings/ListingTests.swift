import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests the listings of the seed documents S0, S2 and S4.
@MainActor
struct ListingTests {
    private let delegate = ListingsDelegate()

    private func app(_ roots: any RestorableViewController...) -> TestApp {
        let app = TestApp()
        app.roots = roots
        app.device.bundleVersion = "3"
        app.environment.delegate = delegate
        return app
    }

    @Test("seed 19 · the number's view controller is made from the storyboard in its coder", .tags(.seed))
    func restoresNumberFromStoryboard() throws {
        let storyboard = Storyboard(name: "Main")
        storyboard.add(identifier: "MyViewController") { origin in
            let vc = NumberViewController()
            vc.storyboardOrigin = origin
            return vc
        }
        let vc = try #require(
            storyboard.instantiateViewController(withIdentifier: "MyViewController") as? NumberViewController)
        vc.restorationIdentifier = "Number"
        vc.restorationClass = NumberViewController.self
        vc.number = 7
        let archive = try app(NavigationController(root: vc).named("Navigation")).save()

        let navigation = NavigationController().named("Navigation")
        let next = app(navigation)
        next.environment.add(NumberViewController.self)
        next.environment.add(storyboard)
        try next.restore(archive)
        let restored = try #require(navigation.top as? NumberViewController)
        #expect(restored !== vc)
        #expect(restored.number == 7)
        #expect(restored.restorationIdentifier == "Number")
        #expect(try next.save()?.objects == archive?.objects)
    }

    @Test("seed 32 · the text view restores its selection only if both keys are present", .tags(.seed))
    func restoresSelectionOnlyWithBothKeys() throws {
        func screen(_ range: NSRange) -> (Screen, SelectionView) {
            let (screen, view) = (Screen("Root"), SelectionView())
            view.restorationIdentifier = "Text"
            view.selectionRange = range
            screen.views = [view]
            return (screen, view)
        }
        let archive = try app(screen(NSRange(location: 3, length: 4)).0).save()
        let (next, view) = screen(NSRange(location: 9, length: 9))
        try app(next).restore(archive)
        #expect(view.selectionRange == NSRange(location: 3, length: 4))

        var older = try #require(archive)
        older.objects[1].state["kMyTextViewSelectionRangeLength"] = nil
        let (other, untouched) = screen(NSRange(location: 9, length: 9))
        try app(other).restore(older)
        #expect(untouched.selectionRange == NSRange(location: 9, length: 9))
    }

    @Test(
        "seed 33 · the active field and its unsaved text come back, an Int32 read as an Int", .tags(.seed),
        arguments: [0, 1, 2])
    func restoresActiveFieldAndUnsavedText(_ active: Int) throws {
        func screen() -> NameViewController {
            let vc = NameViewController()
            vc.restorationIdentifier = "Name"
            return vc
        }
        let vc = screen()
        vc.setUserID(identifier: "user-17")
        let fields = [nil, vc.firstNameField, vc.lastNameField]
        fields[active]?.text = "Ada"
        fields[active]?.becomeFirstResponder()
        let archive = try app(vc).save()
        #expect(archive?.objects.first?.state["EditField"] == .integer(Int64(active)))

        let restored = screen()
        try app(restored).restore(archive)
        #expect(restored.userID == "user-17")
        #expect(restored.firstNameField?.text == (active == 1 ? "Ada" : nil))
        #expect(restored.lastNameField?.text == (active == 2 ? "Ada" : nil))
        #expect(restored.firstNameField?.isFirstResponder == (active == 1))
        #expect(restored.lastNameField?.isFirstResponder == (active == 2))
    }

    @Test("seed 33 · a nil string is saved, and the Double of the version is read as a Float", .tags(.seed))
    func savesNilStringAndReadsDoubleAsFloat() throws {
        let vc = NameViewController()
        vc.restorationIdentifier = "Name"
        vc.lastNameField?.becomeFirstResponder()
        let archive = try app(vc).save()
        #expect(archive?.objects.first?.state["EditedText"] == .null)
        #expect(archive?.application["MyAppVersion"] == .real(11))
        #expect(try !app(vc).restore(archive).isDeclined)
        delegate.appVersion = 12
        #expect(try app(vc).restore(archive).isDeclined)
    }

    @Test("seed 61 · an older bundle version is not restored, and a missing one counts as 0", .tags(.seed))
    func requiresMinimumBundleVersion() throws {
        let app = app(Screen("Root"))
        let archive = try app.save()
        #expect(try !app.restore(archive).isDeclined)
        delegate.minimumBundleVersion = 4
        #expect(try app.restore(archive).isDeclined)
        app.device.bundleVersion = nil
        delegate.minimumBundleVersion = 1
        #expect(try app.restore(app.save()).isDeclined)
        delegate.minimumBundleVersion = 0
        #expect(try !app.restore(app.save()).isDeclined)
    }

    @Test("seed 62 · state of another idiom is not restored", .tags(.seed))
    func refusesStateOfAnotherIdiom() throws {
        let app = app(Screen("Root"))
        let archive = try app.save()
        delegate.idiom = 1
        #expect(try app.restore(archive).isDeclined)
    }
}
