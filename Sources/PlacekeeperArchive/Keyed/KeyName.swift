/// A key to look for, with the last object that had the key's text. Most writers write each text once, so the next
/// object with the same text is usually the same object, and the text does not have to be compared again.
struct KeyName {
    private let text: StaticString
    private var object = UInt32.max

    init(_ text: StaticString) { self.text = text }

    @inline(__always)
    mutating func `is`(_ key: UInt32, in view: PropertyListView) -> Bool {
        if key == object { return true }
        guard view.isString(key, equalTo: text) else { return false }
        object = key
        return true
    }
}
