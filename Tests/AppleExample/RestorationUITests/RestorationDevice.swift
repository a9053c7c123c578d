import Foundation
import XCTest

/// A device with the app of a case. Each has a folder of its own in the simulator.
@MainActor
struct RestorationDevice {
    enum Origin: String, Sendable { case storyboard, nib, code }
    enum Screen: String, Sendable { case navigation, tab, split, page, table, text }

    let app = XCUIApplication()
    /// The seconds for the launch of an app on a slow Mac.
    private let patience: TimeInterval = 60

    init(_ origin: Origin = .code, _ screen: Screen = .navigation, isSecure: Bool = true) {
        app.launchEnvironment = [
            "RESTORATION_FROM": origin.rawValue, "RESTORATION_SCREEN": screen.rawValue,
            "RESTORATION_SECURE": isSecure ? "1" : "0", "RESTORATION_FOLDER": UUID().uuidString,
        ]
        app.launch()
    }

    /// Leaves the app, which saves its state, ends its process, and launches it again.
    func relaunch() {
        leave()
        app.terminate()
        app.launch()
    }

    func leave() {
        XCUIDevice.shared.press(.home)
        let deadline = Date(timeIntervalSinceNow: patience)
        while ![.runningBackground, .runningBackgroundSuspended].contains(app.state), Date() < deadline {
            RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1))
        }
        XCTAssertTrue(app.state != .runningForeground, "The app did not enter the background")
    }

    func tap(_ button: String, times: Int = 1) {
        let element = app.buttons[button].firstMatch
        XCTAssertTrue(element.waitForExistence(timeout: patience), "There is no button \(button)")
        for _ in 0..<times { element.tap() }
    }

    func type(_ text: String, into field: String) {
        let element = app.textFields[field].firstMatch
        XCTAssertTrue(element.waitForExistence(timeout: patience), "There is no text field \(field)")
        element.tap()
        element.typeText(text)
    }

    func value(ofField field: String) -> String? { app.textFields[field].firstMatch.value as? String }

    /// Returns the text of a label, or nil if the screen doesn't show the label.
    func text(_ label: String) -> String? {
        let element = app.staticTexts[label].firstMatch
        return element.waitForExistence(timeout: patience) ? element.label : nil
    }

    func shows(_ label: String) -> Bool { app.staticTexts[label].firstMatch.exists }

    /// What the app noticed in this launch. A screen shows it after each tap.
    func answers(_ screen: String) -> [String: String] {
        tap("\(screen).add")
        let pairs = (text("\(screen).answers") ?? "").split(separator: ";").map { $0.split(separator: "=") }
        return Dictionary(pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }) { $1 }
    }
}
