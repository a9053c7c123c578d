/// Caches strings and data as they are read. Values shared in a file are then shared in memory too, so a small file
/// cannot use a lot of memory.
struct SharedValues {
    private var texts: [UInt32: String] = [:]
    private var data: [UInt32: [UInt8]] = [:]

    /// Returns the text of a string object.
    mutating func text(_ object: UInt32, in view: PropertyListView) -> String {
        if let known = texts[object] { return known }
        let text = view.text(view.string(object))
        texts[object] = text
        return text
    }

    /// Returns the bytes of a data object.
    mutating func data(_ object: UInt32, in view: PropertyListView) -> [UInt8] {
        if let known = data[object] { return known }
        let (start, count) = view.extent(at: view.offset(of: object))
        let bytes = [UInt8](UnsafeRawBufferPointer(start: view.base + start, count: count))
        data[object] = bytes
        return bytes
    }
}
