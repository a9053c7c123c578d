import UIKit

/// An app with scenes whose screens are restored by UIKit's methods of state restoration. The tests choose the case by
/// the environment of the process.
@main
enum RestorationApp {
    @MainActor
    static func main() {
        if Case.current.isSecure { SecureDelegate.main() } else { OlderDelegate.main() }
    }
}

/// Opts in to secure state restoration.
final class SecureDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool { true }
    func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool { true }
}

/// Opts in with the methods before iOS 13.2. UIKit asks them only if the delegate doesn't have the secure ones.
final class OlderDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { true }
    func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { true }
}
