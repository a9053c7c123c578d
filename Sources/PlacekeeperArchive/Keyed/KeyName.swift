/// A key to look for, and the object in which its text was last found. Most writers write each text only once, so the
/// next match is usually the same object, and comparing texts is not necessary.
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
