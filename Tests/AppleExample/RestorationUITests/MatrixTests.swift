import XCTest

/// The 36 cases of docs/apple-matrix.md: where the screens come from, what the window shows, and how the app opts in to
/// state restoration. `Tests/AppleExample/run-matrix` reads the case from the name of the test.
@MainActor
final class MatrixTests: XCTestCase {
    func testStoryboardNavigationSecure() { play(.storyboard, .navigation, isSecure: true) }
    func testStoryboardNavigationNotSecure() { play(.storyboard, .navigation, isSecure: false) }
    func testStoryboardTabSecure() { play(.storyboard, .tab, isSecure: true) }
    func testStoryboardTabNotSecure() { play(.storyboard, .tab, isSecure: false) }
    func testStoryboardSplitSecure() { play(.storyboard, .split, isSecure: true) }
    func testStoryboardSplitNotSecure() { play(.storyboard, .split, isSecure: false) }
    func testStoryboardPageSecure() { play(.storyboard, .page, isSecure: true) }
    func testStoryboardPageNotSecure() { play(.storyboard, .page, isSecure: false) }
    func testStoryboardTableSecure() { play(.storyboard, .table, isSecure: true) }
    func testStoryboardTableNotSecure() { play(.storyboard, .table, isSecure: false) }
    func testStoryboardTextSecure() { play(.storyboard, .text, isSecure: true) }
    func testStoryboardTextNotSecure() { play(.storyboard, .text, isSecure: false) }

    func testNibNavigationSecure() { play(.nib, .navigation, isSecure: true) }
    func testNibNavigationNotSecure() { play(.nib, .navigation, isSecure: false) }
    func testNibTabSecure() { play(.nib, .tab, isSecure: true) }
    func testNibTabNotSecure() { play(.nib, .tab, isSecure: false) }
    func testNibSplitSecure() { play(.nib, .split, isSecure: true) }
    func testNibSplitNotSecure() { play(.nib, .split, isSecure: false) }
    func testNibPageSecure() { play(.nib, .page, isSecure: true) }
    func testNibPageNotSecure() { play(.nib, .page, isSecure: false) }
    func testNibTableSecure() { play(.nib, .table, isSecure: true) }
    func testNibTableNotSecure() { play(.nib, .table, isSecure: false) }
    func testNibTextSecure() { play(.nib, .text, isSecure: true) }
    func testNibTextNotSecure() { play(.nib, .text, isSecure: false) }

    func testCodeNavigationSecure() { play(.code, .navigation, isSecure: true) }
    func testCodeNavigationNotSecure() { play(.code, .navigation, isSecure: false) }
    func testCodeTabSecure() { play(.code, .tab, isSecure: true) }
    func testCodeTabNotSecure() { play(.code, .tab, isSecure: false) }
    func testCodeSplitSecure() { play(.code, .split, isSecure: true) }
    func testCodeSplitNotSecure() { play(.code, .split, isSecure: false) }
    func testCodePageSecure() { play(.code, .page, isSecure: true) }
    func testCodePageNotSecure() { play(.code, .page, isSecure: false) }
    func testCodeTableSecure() { play(.code, .table, isSecure: true) }
    func testCodeTableNotSecure() { play(.code, .table, isSecure: false) }
    func testCodeTextSecure() { play(.code, .text, isSecure: true) }
    func testCodeTextNotSecure() { play(.code, .text, isSecure: false) }

    private func play(_ origin: RestorationDevice.Origin, _ screen: RestorationDevice.Screen, isSecure: Bool) {
        let device = RestorationDevice(origin, screen, isSecure: isSecure)
        switch screen {
        case .navigation, .tab, .split, .page: playContainer(screen, on: device)
        case .table: playTable(on: device)
        case .text: playText(on: device)
        }
    }

    /// Counts on both screens of a container, and expects the second screen, and the first one behind it.
    private func playContainer(_ screen: RestorationDevice.Screen, on device: RestorationDevice) {
        device.tap("First.add")
        device.tap(screen == .tab ? "Second" : "First.open")
        device.tap("Second.add", times: 2)

        device.relaunch()
        XCTAssertEqual(device.text("Second.count"), "2")
        // A page view controller keeps only the page that it shows.
        if screen == .page { return XCTAssertTrue(!device.shows("First.count"), "The window shows the first page") }
        // In a wide window, a split view controller shows both columns.
        if screen == .tab {
            device.tap("First")
        } else if !device.shows("First.count") {
            device.app.navigationBars.buttons.firstMatch.tap()
        }
        XCTAssertEqual(device.text("First.count"), "1")
    }

    /// Scrolls to a row and selects another one.
    private func playTable(on device: RestorationDevice) {
        device.tap("Rows.add", times: 3)
        device.tap("Rows.open")
        device.tap("Rows.read")
        XCTAssertEqual(device.text("Rows.state"), "first Row 40, selected Row 42")

        device.relaunch()
        device.tap("Rows.read")
        XCTAssertEqual(device.text("Rows.state"), "first Row 40, selected Row 42")
        XCTAssertEqual(device.text("Rows.count"), "3")
    }

    /// Types a text and selects a part of it.
    private func playText(on device: RestorationDevice) {
        device.tap("Note.add", times: 3)
        device.type("Chapter 4", into: "Note.field")
        device.tap("Note.open")
        device.tap("Note.read")
        XCTAssertEqual(device.text("Note.state"), "editing, selected 2 to 5")

        device.relaunch()
        device.tap("Note.read")
        XCTAssertEqual(device.value(ofField: "Note.field"), "Chapter 4")
        XCTAssertEqual(device.text("Note.state"), "editing, selected 2 to 5")
        XCTAssertEqual(device.text("Note.count"), "3")
    }
}
