// swift-format-ignore-file
// The public declarations of AppKit that the adapters use. Written from Apple's public documentation. Bodies are empty:
// the module is only type-checked.

@_exported import Foundation

public struct NSUserInterfaceItemIdentifier: RawRepresentable, Hashable, Sendable {
    public init(rawValue: String) { self.rawValue = rawValue }
    public let rawValue: String
}
@MainActor open class NSResponder: NSObject {
    open func invalidateRestorableState() {}
}
@MainActor public protocol NSWindowRestoration: NSObjectProtocol {
    static func restoreWindow(
        withIdentifier identifier: NSUserInterfaceItemIdentifier, state: NSCoder,
        completionHandler: @escaping (NSWindow?, (any Error)?) -> Void)
}
@MainActor public protocol NSWindowDelegate: NSObjectProtocol {
    func window(_ window: NSWindow, willEncodeRestorableState state: NSCoder)
    func window(_ window: NSWindow, didDecodeRestorableState state: NSCoder)
}
extension NSWindowDelegate {
    public func window(_ window: NSWindow, willEncodeRestorableState state: NSCoder) {}
    public func window(_ window: NSWindow, didDecodeRestorableState state: NSCoder) {}
}
@MainActor open class NSEvent: NSObject {
    public struct EventTypeMask: OptionSet, Sendable {
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public let rawValue: UInt64
        public static let leftMouseDown = EventTypeMask(rawValue: 2), rightMouseDown = EventTypeMask(rawValue: 8)
        public static let keyDown = EventTypeMask(rawValue: 1024), otherMouseDown = EventTypeMask(rawValue: 1 << 25)
    }
    open weak var window: NSWindow? { nil }
    open class func addLocalMonitorForEvents(
        matching mask: EventTypeMask, handler block: @escaping (NSEvent) -> NSEvent?
    ) -> Any? { nil }
    open class func removeMonitor(_ eventMonitor: Any) {}
}
@MainActor open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { fatalError() }
    open var isVoiceOverEnabled: Bool { false }
    open var isSwitchControlEnabled: Bool { false }
}
@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) {}
    public required init?(coder: NSCoder) {}
    open weak var window: NSWindow? { nil }
    open func viewDidMoveToWindow() {}
}
@MainActor open class NSWindow: NSResponder {
    open var identifier: NSUserInterfaceItemIdentifier?
    open var isRestorable = true
    open var restorationClass: (any NSWindowRestoration.Type)?
    open weak var delegate: (any NSWindowDelegate)?
}
open class NSImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
}
