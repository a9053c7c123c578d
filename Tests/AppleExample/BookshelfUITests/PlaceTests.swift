import XCTest

/// The tests need a service (docs/apple-status.md says how to start one). `xcodebuild` passes the address and the key as
/// `TEST_RUNNER_BOOKSHELF_SERVER` and `TEST_RUNNER_BOOKSHELF_KEY`.
@MainActor
final class PlaceTests: XCTestCase {
    /// The seconds for the launch of an app, and for an answer of the service.
    private let patience: TimeInterval = 60
    /// The devices of a test are new, because no earlier run used the names of their folders.
    private let suffix = UUID().uuidString

    func testOpensTheBookAndItsNoteAfterTheAppHasEnded() {
        let phone = launch("phone")
        open("Persuasion", in: phone)
        let note = phone.textFields["Note"]
        note.tap()
        note.typeText("Chapter 4")
        send(from: phone)
        phone.terminate()

        let next = launch("phone")
        XCTAssertTrue(next.navigationBars["Persuasion"].waitForExistence(timeout: patience))
        XCTAssertEqual(next.textFields["Note"].value as? String, "Chapter 4")
    }

    func testSendsThePlaceInTheBackground() {
        let phone = launch("phone")
        let code = linkCode(of: phone)
        open("Villette", in: phone)
        XCUIDevice.shared.press(.home)
        // The system suspends the app when its work in the background has ended.
        XCTAssertTrue(phone.wait(for: .runningBackgroundSuspended, timeout: patience))

        // The pad is another installation, which was never used. It numbers its books in another order.
        let pad = launch("pad", ["BOOKSHELF_ORDER": "reversed", "BOOKSHELF_LINK_CODE": code])
        XCTAssertTrue(pad.navigationBars["Villette"].waitForExistence(timeout: patience))
    }

    func testOffersTheBookOfAnotherDevice() {
        let pad = launch("pad", ["BOOKSHELF_ORDER": "reversed"])
        let code = linkCode(of: pad)
        open("Emma", in: pad)
        send(from: pad)
        pad.terminate()

        // A device that was never used opens the place without asking.
        let phone = launch("phone", ["BOOKSHELF_LINK_CODE": code])
        XCTAssertTrue(phone.navigationBars["Emma"].waitForExistence(timeout: patience))
        phone.navigationBars["Emma"].buttons.firstMatch.tap()  // back to the list
        open("Persuasion", in: phone)
        send(from: phone)
        phone.terminate()

        // The pad was used before, so it asks.
        let next = launch("pad", ["BOOKSHELF_ORDER": "reversed"])
        XCTAssertTrue(next.staticTexts["phone"].waitForExistence(timeout: patience))
        next.buttons["Continue"].tap()
        XCTAssertTrue(next.navigationBars["Persuasion"].waitForExistence(timeout: patience))
    }

    /// Starts the app as a device. The app of another device ends.
    private func launch(_ device: String, _ environment: [String: String] = [:]) -> XCUIApplication {
        let app = XCUIApplication()
        for name in ["BOOKSHELF_SERVER", "BOOKSHELF_KEY"] {
            app.launchEnvironment[name] = ProcessInfo.processInfo.environment[name]
        }
        app.launchEnvironment["BOOKSHELF_INSTALLATION"] = "\(device)-\(suffix)"
        app.launchEnvironment["BOOKSHELF_DEVICE"] = device
        app.launchEnvironment.merge(environment) { _, new in new }
        app.launch()
        return app
    }

    private func open(_ title: String, in app: XCUIApplication) {
        XCTAssertTrue(app.staticTexts[title].waitForExistence(timeout: patience))
        app.staticTexts[title].tap()
        XCTAssertTrue(app.navigationBars[title].waitForExistence(timeout: patience))
    }

    private func send(from app: XCUIApplication) {
        app.buttons["Send now"].tap()
        XCTAssertTrue(app.staticTexts["sent"].waitForExistence(timeout: patience))
    }

    private func linkCode(of app: XCUIApplication) -> String {
        XCTAssertTrue(app.buttons["Link a device"].waitForExistence(timeout: patience))
        app.buttons["Link a device"].tap()
        let code = app.staticTexts["code"]
        XCTAssertTrue(code.waitForExistence(timeout: patience))
        return code.label
    }
}
