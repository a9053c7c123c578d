public import Foundation
public import KeyedArchive

extension Date: StateConvertible {
    /// A date.
    public var stateValue: StateValue { .date(timeIntervalSinceReferenceDate) }
    /// A date.
    public init?(stateValue: StateValue) {
        guard case .date(let seconds) = stateValue else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension Data: StateConvertible {
    /// Bytes.
    public var stateValue: StateValue { .data([UInt8](self)) }
    /// Bytes.
    public init?(stateValue: StateValue) {
        guard case .data(let bytes) = stateValue else { return nil }
        self.init(bytes)
    }
}

extension URL: StateConvertible {
    /// Its text, in full.
    public var stateValue: StateValue { .string(absoluteString) }
    /// A URL's text.
    public init?(stateValue: StateValue) {
        guard case .string(let text) = stateValue else { return nil }
        self.init(string: text)
    }
}

extension UUID: StateConvertible {
    /// Its text.
    public var stateValue: StateValue { .string(uuidString) }
    /// A UUID's text.
    public init?(stateValue: StateValue) {
        guard case .string(let text) = stateValue else { return nil }
        self.init(uuidString: text)
    }
}

extension IndexPath: StateConvertible {
    /// An array of its indices.
    public var stateValue: StateValue { Array(self).stateValue }
    /// An array of indices.
    public init?(stateValue: StateValue) {
        guard let indices = [Int](stateValue: stateValue) else { return nil }
        self.init(indexes: indices)
    }
}

extension IndexSet: StateConvertible {
    /// An array of its ranges, each the first index and how many there are, one after the other.
    public var stateValue: StateValue { rangeView.flatMap { [$0.lowerBound, $0.count] }.stateValue }
    /// An array of ranges.
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
    /// Its location and length.
    public var stateValue: StateValue { [location, length].stateValue }
    /// A location and a length.
    public init?(stateValue: StateValue) {
        guard let numbers = [Int](stateValue: stateValue), numbers.count == 2 else { return nil }
        self.init(location: numbers[0], length: numbers[1])
    }
}

extension CGPoint: StateConvertible {
    /// Its two coordinates.
    public var stateValue: StateValue { [Double(x), Double(y)].stateValue }
    /// Two coordinates.
    public init?(stateValue: StateValue) {
        guard let numbers = [Double](stateValue: stateValue), numbers.count == 2 else { return nil }
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension CGSize: StateConvertible {
    /// Its width and height.
    public var stateValue: StateValue { [Double(width), Double(height)].stateValue }
    /// A width and a height.
    public init?(stateValue: StateValue) {
        guard let numbers = [Double](stateValue: stateValue), numbers.count == 2 else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension CGRect: StateConvertible {
    /// Its origin's coordinates, its width and its height.
    public var stateValue: StateValue {
        [Double(origin.x), Double(origin.y), Double(size.width), Double(size.height)].stateValue
    }
    /// Two coordinates, a width and a height.
    public init?(stateValue: StateValue) {
        guard let numbers = [Double](stateValue: stateValue), numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
