// swift-format-ignore-file
// The public declarations of AppKit, and of Foundation on Apple's systems, that the adapters use. Written from Apple's
// public documentation, whose pages stand beside them, below https://developer.apple.com/documentation/. Bodies are empty:
// the module is only type-checked.

@_exported import Foundation

// foundation/nsuseractivity
open class NSUserActivity: NSObject {
    public init(activityType: String) { self.activityType = activityType }
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var webpageURL: URL?
    open var needsSave: Bool = false
    open func becomeCurrent() {}
    open func resignCurrent() {}
    open func invalidate() {}
}

// appkit/nsuserinterfaceitemidentifier
public struct NSUserInterfaceItemIdentifier: RawRepresentable, Hashable, Sendable {
    public init(rawValue: String) { self.rawValue = rawValue }
    public let rawValue: String
}
// appkit/nsresponder/invalidaterestorablestate()
@MainActor open class NSResponder: NSObject {
    open func invalidateRestorableState() {}
}
// appkit/nswindowrestoration/restorewindow(withidentifier:state:completionhandler:)
@MainActor public protocol NSWindowRestoration: NSObjectProtocol {
    static func restoreWindow(
        withIdentifier identifier: NSUserInterfaceItemIdentifier, state: NSCoder,
        completionHandler: @escaping (NSWindow?, (any Error)?) -> Void)
}
// appkit/nswindowdelegate/window(_:willencoderestorablestate:), appkit/nswindowdelegate/windowwillclose(_:)
@MainActor public protocol NSWindowDelegate: NSObjectProtocol {
    func window(_ window: NSWindow, willEncodeRestorableState state: NSCoder)
    func windowWillClose(_ notification: Notification)
    func window(_ window: NSWindow, didDecodeRestorableState state: NSCoder)
}
extension NSWindowDelegate {
    public func window(_ window: NSWindow, willEncodeRestorableState state: NSCoder) {}
    public func windowWillClose(_ notification: Notification) {}
    public func window(_ window: NSWindow, didDecodeRestorableState state: NSCoder) {}
}
// appkit/nsevent, appkit/nsevent/addlocalmonitorforevents(matching:handler:), appkit/nsevent/removemonitor(_:)
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
// appkit/nsmenu/didsendactionnotification
@MainActor open class NSMenu: NSObject {
    nonisolated public class var didSendActionNotification: NSNotification.Name { .init("") }
}
// appkit/nsworkspace/isvoiceoverenabled, appkit/nsworkspace/isswitchcontrolenabled
@MainActor open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { fatalError() }
    open var isVoiceOverEnabled: Bool { false }
    open var isSwitchControlEnabled: Bool { false }
}
// appkit/nsview, appkit/nsview/viewdidmovetowindow()
@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) {}
    public required init?(coder: NSCoder) {}
    open weak var window: NSWindow? { nil }
    open func viewDidMoveToWindow() {}
}
// appkit/nswindow, appkit/nswindow/restorationclass, appkit/nswindow/sheetparent, appkit/nswindow/parent,
// appkit/nswindow/ismainwindow, appkit/nswindow/didbecomekeynotification
@MainActor open class NSWindow: NSResponder {
    open var identifier: NSUserInterfaceItemIdentifier?
    open var isRestorable = true
    open var isMainWindow: Bool { false }
    open weak var sheetParent: NSWindow? { nil }
    open weak var parent: NSWindow?
    open var restorationClass: (any NSWindowRestoration.Type)?
    open weak var delegate: (any NSWindowDelegate)?
    open var isKeyWindow: Bool { false }
    public class var didBecomeKeyNotification: NSNotification.Name { .init("") }
    public class var didResignKeyNotification: NSNotification.Name { .init("") }
}
// appkit/nsapplicationdelegate/application(_:continue:restorationhandler:), appkit/nsuseractivityrestoring
@MainActor public protocol NSUserActivityRestoring: NSObjectProtocol {}
@MainActor open class NSApplication: NSResponder {}
@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void) -> Bool
}
extension NSApplicationDelegate {
    public func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool { false }
}
// appkit/nsimage/init(data:)
open class NSImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
}
