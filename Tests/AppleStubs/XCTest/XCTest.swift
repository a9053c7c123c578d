// swift-format-ignore-file
// The public declarations of XCTest for tests of the user interface that the example uses. Written from Apple's public
// documentation. Bodies are empty: the module is only type-checked.

@_exported import Foundation

open class XCTest: NSObject {}
open class XCTestCase: XCTest {}

public func XCTAssertTrue(
    _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "", file: StaticString = #filePath,
    line: UInt = #line
) {}
public func XCTAssertEqual<T: Equatable>(
    _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
    _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}
// xctest/xctexpectfailure(_:enabled:strict:failingblock:issuematcher:)
public func XCTExpectFailure<R>(
    _ failureReason: String? = nil, enabled: Bool? = nil, strict: Bool? = nil, failingBlock: () throws -> R,
    issueMatcher: ((XCTIssue) -> Bool)? = nil
) rethrows -> R { try failingBlock() }
public struct XCTIssue: Sendable {}

@MainActor public protocol XCUIElementTypeQueryProvider {
    var buttons: XCUIElementQuery { get }
    var staticTexts: XCUIElementQuery { get }
    var textFields: XCUIElementQuery { get }
    var navigationBars: XCUIElementQuery { get }
    var firstMatch: XCUIElement { get }
}
extension XCUIElementTypeQueryProvider {
    public var buttons: XCUIElementQuery { fatalError() }
    public var staticTexts: XCUIElementQuery { fatalError() }
    public var textFields: XCUIElementQuery { fatalError() }
    public var navigationBars: XCUIElementQuery { fatalError() }
    public var firstMatch: XCUIElement { fatalError() }
}
@MainActor open class XCUIElementQuery: NSObject, XCUIElementTypeQueryProvider {
    open subscript(key: String) -> XCUIElement { fatalError() }
}
@MainActor open class XCUIElement: NSObject, XCUIElementTypeQueryProvider {
    open var label: String { "" }
    open var value: Any? { nil }
    open var exists: Bool { false }
    open func waitForExistence(timeout: TimeInterval) -> Bool { false }
    open func tap() {}
    open func typeText(_ text: String) {}
}
@MainActor open class XCUIApplication: XCUIElement {
    public enum State: UInt, Sendable {
        case unknown = 0, notRunning = 1, runningBackgroundSuspended = 2, runningBackground = 3, runningForeground = 4
    }
    public override init() {}
    open var launchEnvironment: [String: String] = [:]
    open func launch() {}
    open func terminate() {}
    open func activate() {}
    open var state: State { .unknown }
    open func wait(for state: State, timeout: TimeInterval) -> Bool { false }
}
@MainActor open class XCUIDevice: NSObject {
    public enum Button: Int, Sendable { case home = 1 }
    open class var shared: XCUIDevice { fatalError() }
    open func press(_ button: Button) {}
}
