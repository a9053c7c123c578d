/// Strings and data that were read once: those that a file shares are shared in memory, and a small file cannot make a
/// large value of them.
struct SharedValues {
    private var texts: [UInt32: String] = [:]
    private var data: [UInt32: [UInt8]] = [:]

    /// The text of an object that is a string.
    mutating func text(_ object: UInt32, in view: PropertyListView) -> String {
        if let known = texts[object] { return known }
        let text = view.text(view.string(object))
        texts[object] = text
        return text
    }

    /// The bytes of an object that is data.
    mutating func data(_ object: UInt32, in view: PropertyListView) -> [UInt8] {
        if let known = data[object] { return known }
        let (start, count) = view.extent(at: view.offset(of: object))
        let bytes = [UInt8](UnsafeRawBufferPointer(start: view.base + start, count: count))
        data[object] = bytes
        return bytes
    }
}
