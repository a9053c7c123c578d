// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of Foundation, Core Graphics and UserNotifications that UIKit's clients see on Apple's systems, and that
// Foundation on Linux doesn't have. The comments name pages below https://developer.apple.com/documentation/.

@_exported import Foundation

// foundation/nsuseractivity
open class NSUserActivity: NSObject {
    public init(activityType: String) { self.activityType = activityType }
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var requiredUserInfoKeys: Set<String>?
    open var webpageURL: URL?
    open var referrerURL: URL?
    open var expirationDate: Date?
    open var keywords: Set<String> = []
    open var targetContentIdentifier: String?
    open var needsSave: Bool = false
    open var isEligibleForHandoff = true
    open var isEligibleForSearch = false
    open var isEligibleForPublicIndexing = false
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
    }
    open func becomeCurrent() {}
    open func resignCurrent() {}
    open func invalidate() {}
}

// foundation/nsextensioncontext
open class NSExtensionContext: NSObject {
    open func completeRequest(returningItems items: [Any]?, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        completionHandler?(false)
    }
}
// foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
// foundation/notificationcenter/addobserver(forname:object:queue:using:). On Linux, posting on the main actor deadlocks
// if an observer uses the main queue. On Apple's systems the block runs immediately, and so it does here. The compiler
// prefers this overload if the object isn't optional.
extension NotificationCenter {
    @discardableResult
    public func addObserver(
        forName name: NSNotification.Name?, object obj: AnyObject, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        let other = queue === OperationQueue.main ? nil : queue
        return addObserver(forName: name, object: obj as Any?, queue: other, using: block)
    }
}
// usernotifications/unnotificationresponse. UIKit imports UserNotifications.
open class UNNotificationResponse: NSObject {}

/// Declared in the Objective-C runtime.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    let name: String
    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { name = value }
}

// foundation/indexpath. UIKit adds these members.
extension IndexPath {
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
