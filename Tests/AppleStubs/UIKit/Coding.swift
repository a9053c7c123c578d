// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// The text of a geometric value: braces, and numbers without a needless fraction.
private func text(_ numbers: CGFloat..., in brackets: (String, String) = ("{", "}")) -> String {
    let texts = numbers.map { number -> String in
        let value = Double(number)
        return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
    }
    return brackets.0 + texts.joined(separator: ", ") + brackets.1
}
/// The numbers of a text, or zeros if the text isn't one of `count` numbers.
private func numbers(in text: String, count: Int) -> [CGFloat] {
    let parts = text.split { "{}[], ".contains($0) }.compactMap { Double($0) }
    return parts.count == count ? parts.map { CGFloat($0) } : Array(repeating: 0, count: count)
}

// uikit/nscoder/string(for:)-5ugjf and its relatives, which UIKit declares on NSCoder.
extension NSCoder {
    public class func string(for point: CGPoint) -> String { text(point.x, point.y) }
    public class func string(for size: CGSize) -> String { text(size.width, size.height) }
    public class func string(for rect: CGRect) -> String {
        "{" + string(for: rect.origin) + ", " + string(for: rect.size) + "}"
    }
    public class func string(for insets: UIEdgeInsets) -> String {
        text(insets.top, insets.left, insets.bottom, insets.right)
    }
    public class func string(for offset: UIOffset) -> String { text(offset.horizontal, offset.vertical) }
    public class func string(for transform: CGAffineTransform) -> String {
        text(
            transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty, in: ("[", "]"))
    }

    public class func cgPoint(for string: String) -> CGPoint {
        let parts = numbers(in: string, count: 2)
        return CGPoint(x: parts[0], y: parts[1])
    }
    public class func cgSize(for string: String) -> CGSize {
        let parts = numbers(in: string, count: 2)
        return CGSize(width: parts[0], height: parts[1])
    }
    public class func cgRect(for string: String) -> CGRect {
        let parts = numbers(in: string, count: 4)
        return CGRect(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
    }
    public class func uiEdgeInsets(for string: String) -> UIEdgeInsets {
        let parts = numbers(in: string, count: 4)
        return UIEdgeInsets(top: parts[0], left: parts[1], bottom: parts[2], right: parts[3])
    }
    public class func uiOffset(for string: String) -> UIOffset {
        let parts = numbers(in: string, count: 2)
        return UIOffset(horizontal: parts[0], vertical: parts[1])
    }
    public class func cgAffineTransform(for string: String) -> CGAffineTransform {
        let parts = numbers(in: string, count: 6)
        return CGAffineTransform(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
    }
}

// uikit/nscoder/encode(_:forkey:)-9vy2q and its relatives: a string in the archive. Foundation on Linux has those of
// points, sizes and rectangles.
extension NSCoder {
    public func encode(_ insets: UIEdgeInsets, forKey key: String) { encode(text: NSCoder.string(for: insets), key) }
    public func encode(_ offset: UIOffset, forKey key: String) { encode(text: NSCoder.string(for: offset), key) }
    public func encode(_ transform: CGAffineTransform, forKey key: String) {
        encode(text: NSCoder.string(for: transform), key)
    }

    public func decodeCGPoint(forKey key: String) -> CGPoint { NSCoder.cgPoint(for: decodeText(key)) }
    public func decodeCGSize(forKey key: String) -> CGSize { NSCoder.cgSize(for: decodeText(key)) }
    public func decodeCGRect(forKey key: String) -> CGRect { NSCoder.cgRect(for: decodeText(key)) }
    public func decodeUIEdgeInsets(forKey key: String) -> UIEdgeInsets { NSCoder.uiEdgeInsets(for: decodeText(key)) }
    public func decodeUIOffset(forKey key: String) -> UIOffset { NSCoder.uiOffset(for: decodeText(key)) }
    public func decodeCGAffineTransform(forKey key: String) -> CGAffineTransform {
        NSCoder.cgAffineTransform(for: decodeText(key))
    }

    private func encode(text: String, _ key: String) { encode(NSString(string: text), forKey: key) }
    private func decodeText(_ key: String) -> String {
        // An unarchiver on Linux ends the process for a key that isn't there.
        guard containsValue(forKey: key) else { return "" }
        return decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) } ?? ""
    }
}
