// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uiimage/init(data:), uikit/uiimage/pngdata(). The double doesn't look into the data.
open class UIImage: NSObject, NSSecureCoding, @unchecked Sendable {
    private let data: Data?
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.data = data
    }
    public init?(named name: String) { data = Data(name.utf8) }
    public init?(systemName name: String) { data = Data(name.utf8) }
    public init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else { return nil }
        self.data = data
    }
    public override init() { data = nil }

    open class var supportsSecureCoding: Bool { true }
    public required init?(coder: NSCoder) {
        data = coder.decodeObject(of: NSData.self, forKey: "data").map { Data($0) }
    }
    open func encode(with coder: NSCoder) {
        if let data { coder.encode(NSData(data: data), forKey: "data") }
    }

    open var size: CGSize { data == nil ? .zero : CGSize(width: 100, height: 100) }
    open func pngData() -> Data? { data }
    open func jpegData(compressionQuality: CGFloat) -> Data? { data }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIImage)?.data == data }
    open override var hash: Int { data.hashValue }
}

// uikit/uicolor
open class UIColor: NSObject, NSSecureCoding, @unchecked Sendable {
    private let parts: [CGFloat]
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { parts = [red, green, blue, alpha] }
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    open class var supportsSecureCoding: Bool { true }
    public required init?(coder: NSCoder) {
        parts = ["UIRed", "UIGreen", "UIBlue", "UIAlpha"].map { CGFloat(coder.decodeDouble(forKey: $0)) }
    }
    open func encode(with coder: NSCoder) {
        for (key, part) in zip(["UIRed", "UIGreen", "UIBlue", "UIAlpha"], parts) {
            coder.encode(Double(part), forKey: key)
        }
    }

    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        for (pointer, part) in zip([red, green, blue, alpha], parts) { pointer?.pointee = part }
        return true
    }
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }
    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.parts == parts }
    open override var hash: Int { parts.hashValue }

    open class var clear: UIColor { UIColor(white: 0, alpha: 0) }
    open class var black: UIColor { UIColor(white: 0, alpha: 1) }
    open class var white: UIColor { UIColor(white: 1, alpha: 1) }
    open class var gray: UIColor { UIColor(white: 0.5, alpha: 1) }
    open class var red: UIColor { UIColor(red: 1, green: 0, blue: 0, alpha: 1) }
    open class var green: UIColor { UIColor(red: 0, green: 1, blue: 0, alpha: 1) }
    open class var blue: UIColor { UIColor(red: 0, green: 0, blue: 1, alpha: 1) }
    open class var yellow: UIColor { UIColor(red: 1, green: 1, blue: 0, alpha: 1) }
    open class var orange: UIColor { UIColor(red: 1, green: 0.5, blue: 0, alpha: 1) }
    open class var purple: UIColor { UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
    open class var systemBackground: UIColor { white }
    open class var secondarySystemBackground: UIColor { UIColor(white: 0.95, alpha: 1) }
    open class var label: UIColor { black }
    open class var secondaryLabel: UIColor { gray }
    open class var systemBlue: UIColor { blue }
    open class var systemRed: UIColor { red }
    open class var systemGreen: UIColor { green }
}

// uikit/uifont
open class UIFont: NSObject, @unchecked Sendable {
    public let pointSize: CGFloat
    init(_ size: CGFloat) { pointSize = size }
    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize) }
    open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize) }
}
