// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uiwindow. A window with a scene is shown only while the scene keeps it.
@MainActor open class UIWindow: UIView {
    // uikit/uiwindow/level-swift.struct
    public struct Level: RawRepresentable, Hashable, Sendable {
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public let rawValue: CGFloat
        public static let normal = Level(rawValue: 0)
        public static let statusBar = Level(rawValue: 1000)
        public static let alert = Level(rawValue: 2000)
    }

    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init(frame: windowScene.screen.bounds)
        isHidden = true
        windowScene.add(self)
    }
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isHidden = true
    }

    open weak var windowScene: UIWindowScene? {
        didSet {
            oldValue?.remove(self)
            windowScene?.add(self)
        }
    }
    open var screen: UIScreen { windowScene?.screen ?? .main }
    open var windowLevel: Level = .normal
    open override var traitCollection: UITraitCollection { windowScene?.traitCollection ?? .ofDevice }
    open override var next: UIResponder? { windowScene ?? UIApplication.shared }

    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            oldValue?.dismissAll()
            oldValue?.viewIfLoaded?.removeFromSuperview()
            if isVisible { showRoot() }
        }
    }

    open override var isHidden: Bool {
        get { !isVisible }
        set {
            guard isVisible == newValue else { return }
            isVisible = !newValue
            if isVisible { showRoot() }
            updateAppearance()
        }
    }
    private(set) var isVisible = false
    /// Whether the view controllers in this window have appeared: with the window, or with its scene.
    private(set) var isShown = false

    func updateAppearance() {
        let appears = isVisible && windowScene?.waitsForForeground != true
        guard appears != isShown else { return }
        let owners = children.flatMap { $0.owners(appearing: appears) }
        let changed = owners.filter { $0.begin(appearing: appears) }
        isShown = appears
        UIViewController.end(changed, in: self)
    }

    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }
    open func makeKey() {
        let app = UIApplication.shared
        guard app.keyWindowOfApp !== self else { return }
        app.keyWindowOfApp?.resignKey()
        app.keyWindowOfApp = self
        becomeKey()
    }
    open func becomeKey() {}
    open func resignKey() {}
    open var isKeyWindow: Bool { UIApplication.shared.keyWindowOfApp === self }

    weak var firstResponder: UIResponder?

    private func showRoot() {
        guard let root = rootViewController, root.presentedByThis?.hidesPresenter != true else { return }
        root.view.frame = bounds
        if root.view.superview !== self { insertSubview(root.view, at: 0) }
    }
}

// uikit/uiscreen
@MainActor open class UIScreen: NSObject {
    open class var main: UIScreen { UIApplication.shared.screen }
    open internal(set) var bounds: CGRect
    open var nativeBounds: CGRect { bounds }
    open var scale: CGFloat { 2 }
    init(_ idiom: UIUserInterfaceIdiom) {
        let isPhone = idiom == .phone
        bounds = CGRect(x: 0, y: 0, width: isPhone ? 390 : 820, height: isPhone ? 844 : 1180)
    }
}

// uikit/uidevice
@MainActor open class UIDevice: NSObject {
    open class var current: UIDevice { UIApplication.shared.device }
    open internal(set) var userInterfaceIdiom: UIUserInterfaceIdiom
    open var identifierForVendor: UUID? = UUID()
    open var model: String { userInterfaceIdiom == .pad ? "iPad" : "iPhone" }
    open var name: String { model }
    open var systemName: String { "iOS" }
    open var systemVersion: String { "26.0" }
    init(_ idiom: UIUserInterfaceIdiom) { userInterfaceIdiom = idiom }
}

// uikit/uiuserinterfaceidiom
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    case mac = 5
    case vision = 6
}

// uikit/uiuserinterfacesizeclass
public enum UIUserInterfaceSizeClass: Int, Sendable {
    case unspecified = 0
    case compact = 1
    case regular = 2
}

// uikit/uitraitcollection
@MainActor open class UITraitCollection: NSObject {
    // UIKit has this initializer. Its traits are unspecified, so the code of an app takes the traits of a scene or a
    // view.
    nonisolated override init() {
        (horizontalSizeClass, verticalSizeClass, userInterfaceIdiom) = (.unspecified, .unspecified, .unspecified)
        super.init()
    }
    nonisolated public init(horizontalSizeClass: UIUserInterfaceSizeClass) {
        (self.horizontalSizeClass, verticalSizeClass) = (horizontalSizeClass, .unspecified)
        userInterfaceIdiom = .unspecified
        super.init()
    }
    nonisolated init(idiom: UIUserInterfaceIdiom, horizontal: UIUserInterfaceSizeClass) {
        (horizontalSizeClass, verticalSizeClass, userInterfaceIdiom) = (horizontal, .regular, idiom)
        super.init()
    }
    nonisolated public let horizontalSizeClass: UIUserInterfaceSizeClass
    nonisolated public let verticalSizeClass: UIUserInterfaceSizeClass
    nonisolated public let userInterfaceIdiom: UIUserInterfaceIdiom

    /// The traits of a whole screen of the current device.
    static var ofDevice: UITraitCollection {
        let idiom = UIDevice.current.userInterfaceIdiom
        return UITraitCollection(idiom: idiom, horizontal: idiom == .phone ? .compact : .regular)
    }
}
