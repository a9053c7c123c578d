import Foundation

/// Detects when the app goes to the background or ends on its own, through notifications of Apple's systems. The client
/// imports no UI framework, so it observes them by name.
///
/// - `UIApplication.didEnterBackgroundNotification`:
///   https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification
/// - `UIApplication.willTerminateNotification`:
///   https://developer.apple.com/documentation/uikit/uiapplication/willterminatenotification
/// - `NSApplication.willTerminateNotification`:
///   https://developer.apple.com/documentation/appkit/nsapplication/willterminatenotification
/// - `WKApplication.didEnterBackgroundNotification`:
///   https://developer.apple.com/documentation/watchkit/wkapplication/didenterbackgroundnotification
final class LeavingObserver: @unchecked Sendable {
    // The class is Sendable, because its properties never change.
    private let center: NotificationCenter
    private let observers: [any NSObjectProtocol]

    static let names = [
        "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
        "NSApplicationWillTerminateNotification", "WKApplicationDidEnterBackgroundNotification",
    ]

    /// - Parameter leave: Runs on the thread that posts the notification. The process may end as soon as it returns.
    init(_ center: NotificationCenter, _ leave: @escaping @Sendable () -> Void) {
        self.center = center
        observers = Self.names.map { name in
            center.addObserver(forName: .init(name), object: nil, queue: nil) { _ in leave() }
        }
    }

    deinit { for observer in observers { center.removeObserver(observer) } }
}
