public import Foundation
public import PlacekeeperArchive

extension Date: StateConvertible {
    /// The date as a state value.
    public var stateValue: StateValue { .date(timeIntervalSinceReferenceDate) }
    /// Creates a date. Nil if the value is not a date.
    public init?(stateValue: StateValue) {
        guard case .date(let seconds) = stateValue else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension Data: StateConvertible {
    /// The data as a state value.
    public var stateValue: StateValue { .data([UInt8](self)) }
    /// Creates data. Nil if the value is not data.
    public init?(stateValue: StateValue) {
        guard case .data(let bytes) = stateValue else { return nil }
        self.init(bytes)
    }
}

extension URL: StateConvertible {
    /// The absolute URL as a string.
    public var stateValue: StateValue { .string(absoluteString) }
    /// Creates a URL from a string. Nil if the string is not a URL.
    public init?(stateValue: StateValue) {
        guard case .string(let text) = stateValue else { return nil }
        self.init(string: text)
    }
}

extension UUID: StateConvertible {
    /// The UUID as a string.
    public var stateValue: StateValue { .string(uuidString) }
    /// Creates a UUID from a string. Nil if the string is not a UUID.
    public init?(stateValue: StateValue) {
        guard case .string(let text) = stateValue else { return nil }
        self.init(uuidString: text)
    }
}

extension IndexPath: StateConvertible {
    /// The indices as an array.
    public var stateValue: StateValue { Array(self).stateValue }
    /// Creates an index path from an array of indices.
    public init?(stateValue: StateValue) {
        guard let indices = [Int](stateValue: stateValue) else { return nil }
        self.init(indexes: indices)
    }
}

extension IndexSet: StateConvertible {
    /// The ranges as a flat array of numbers: the first index and the length of each range.
    public var stateValue: StateValue { rangeView.flatMap { [$0.lowerBound, $0.count] }.stateValue }
    /// Creates an index set from an array of first indices and lengths. `nil` if the value has another form.
    public init?(stateValue: StateValue) {
        guard let numbers = [Int](stateValue: stateValue), numbers.count.isMultiple(of: 2) else { return nil }
        self.init()
        for place in stride(from: 0, to: numbers.count, by: 2) {
            let (end, overflows) = numbers[place].addingReportingOverflow(numbers[place + 1])
            guard numbers[place] >= 0, numbers[place + 1] >= 0, !overflows, end < Int.max else { return nil }
            insert(integersIn: numbers[place]..<end)
        }
    }
}

extension NSRange: StateConvertible {
    /// The location and length as an array.
    public var stateValue: StateValue { [location, length].stateValue }
    /// Creates a range from its location and length.
    public init?(stateValue: StateValue) {
        guard let numbers = [Int](stateValue: stateValue), numbers.count == 2 else { return nil }
        self.init(location: numbers[0], length: numbers[1])
    }
}

extension CGPoint: StateConvertible {
    /// The coordinates as an array.
    public var stateValue: StateValue { [Double(x), Double(y)].stateValue }
    /// Creates a point from its coordinates.
    public init?(stateValue: StateValue) {
        guard let numbers = [Double](stateValue: stateValue), numbers.count == 2 else { return nil }
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension CGSize: StateConvertible {
    /// The width and height as an array.
    public var stateValue: StateValue { [Double(width), Double(height)].stateValue }
    /// Creates a size from its width and height.
    public init?(stateValue: StateValue) {
        guard let numbers = [Double](stateValue: stateValue), numbers.count == 2 else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension CGRect: StateConvertible {
    /// The origin's coordinates, the width and the height, as an array.
    public var stateValue: StateValue {
        [Double(origin.x), Double(origin.y), Double(size.width), Double(size.height)].stateValue
    }
    /// Creates a rectangle from its origin, width and height.
    public init?(stateValue: StateValue) {
        guard let numbers = [Double](stateValue: stateValue), numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
