// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uiimageview
@MainActor open class UIImageView: UIView {
    public init(image: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open var image: UIImage?
    open var highlightedImage: UIImage?

    open override func encodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("encodeRestorableState(with:)", of: "UIImageView", in: self)
    }
    open override func decodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("decodeRestorableState(with:)", of: "UIImageView", in: self)
    }
}

// uikit/nstextalignment
public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center = 1
    case right = 2
    case justified = 3
    case natural = 4
}

// uikit/uilabel
@MainActor open class UILabel: UIView {
    open var text: String?
    open var font: UIFont! = .systemFont(ofSize: 17)
    open var textColor: UIColor!
    open var textAlignment: NSTextAlignment = .natural
    open var numberOfLines = 1
    open var adjustsFontSizeToFitWidth = false
}

// uikit/uiaction
@MainActor open class UIAction: NSObject {
    let handler: (UIAction) -> Void
    public let title: String
    open internal(set) var sender: Any?
    public init(title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void) {
        (self.title, self.handler) = (title, handler)
    }
}

// uikit/uicontrol
@MainActor open class UIControl: UIView {
    // uikit/uicontrol/event
    public struct Event: OptionSet, Hashable, Sendable {
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public let rawValue: UInt
        public static let touchDown = Event(rawValue: 1)
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let valueChanged = Event(rawValue: 1 << 12)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        public static let editingChanged = Event(rawValue: 1 << 17)
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }
    // uikit/uicontrol/state-swift.struct
    public struct State: OptionSet, Hashable, Sendable {
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public let rawValue: UInt
        public static let normal: State = []
        public static let highlighted = State(rawValue: 1)
        public static let disabled = State(rawValue: 2)
        public static let selected = State(rawValue: 4)
    }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public init(frame: CGRect, primaryAction: UIAction?) {
        super.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open var isEnabled = true
    open var isSelected = false
    open var isHighlighted = false
    private var actions: [(UIAction, Event)] = []

    open func addAction(_ action: UIAction, for controlEvents: Event) { actions.append((action, controlEvents)) }
    /// Keeps nothing: Linux has no selectors.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {}
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {}
    open func sendActions(for controlEvents: Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) {
            action.sender = self
            action.handler(action)
        }
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        if isEnabled { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }
    }
}

// uikit/uibutton
@MainActor open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
    }
    public convenience init(type buttonType: ButtonType) { self.init(frame: .zero) }
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero, primaryAction: primaryAction)
        setTitle(primaryAction?.title, for: .normal)
    }
    private var titles: [State: String] = [:]
    open func setTitle(_ title: String?, for state: State) { titles[state] = title }
    open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }
    open var currentTitle: String? { title(for: .normal) }
    open func setImage(_ image: UIImage?, for state: State) {}
    open func setTitleColor(_ color: UIColor?, for state: State) {}
}

// uikit/uiswitch
@MainActor open class UISwitch: UIControl {
    open var isOn = false
    open func setOn(_ on: Bool, animated: Bool) { isOn = on }
}

// uikit/uislider
@MainActor open class UISlider: UIControl {
    open var minimumValue: Float = 0
    open var maximumValue: Float = 1
    private var position: Float = 0
    open var value: Float {
        get { position }
        set { position = max(minimumValue, min(maximumValue, newValue)) }
    }
    open func setValue(_ value: Float, animated: Bool) { self.value = value }
}

// uikit/uistepper
@MainActor open class UIStepper: UIControl {
    open var minimumValue = 0.0
    open var maximumValue = 100.0
    open var stepValue = 1.0
    open var value = 0.0
}

// uikit/uisegmentedcontrol
@MainActor open class UISegmentedControl: UIControl {
    public static let noSegment = -1
    private var titles: [String] = []
    public init(items: [Any]?) {
        super.init(frame: .zero)
        titles = (items ?? []).map { $0 as? String ?? "" }
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open var numberOfSegments: Int { titles.count }
    open var selectedSegmentIndex = UISegmentedControl.noSegment
    open func titleForSegment(at segment: Int) -> String? { titles[segment] }
    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        titles.insert(title ?? "", at: min(segment, titles.count))
    }
}

// uikit/uipagecontrol, uikit/uiprogressview, uikit/uiactivityindicatorview, uikit/uidatepicker
@MainActor open class UIPageControl: UIControl {
    open var numberOfPages = 0
    open var currentPage = 0
}
@MainActor open class UIProgressView: UIView { open var progress: Float = 0 }
@MainActor open class UIActivityIndicatorView: UIView {
    open private(set) var isAnimating = false
    open func startAnimating() { isAnimating = true }
    open func stopAnimating() { isAnimating = false }
}
@MainActor open class UIDatePicker: UIControl {
    open var date = Date()
    open func setDate(_ date: Date, animated: Bool) { self.date = date }
}

// uikit/uistackview
@MainActor open class UIStackView: UIView {
    public init(arrangedSubviews views: [UIView]) {
        super.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open private(set) var arrangedSubviews: [UIView] = []
    open var axis: NSLayoutConstraint.Axis = .horizontal
    open var spacing: CGFloat = 0
    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.append(view)
        addSubview(view)
    }
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.insert(view, at: stackIndex)
        addSubview(view)
    }
    open func removeArrangedSubview(_ view: UIView) { arrangedSubviews.removeAll { $0 === view } }
    open override func willRemoveSubview(_ subview: UIView) { removeArrangedSubview(subview) }
}
/// Only the names that other classes use: the double has no Auto Layout.
@MainActor open class NSLayoutConstraint: NSObject {
    public enum Axis: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }
}
