extension Array<UInt8> {
    /// Calls a closure with the array's bytes. Unlike `withUnsafeBytes`, rethrows the closure's error type.
    @inline(__always)
    func withRawBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
    }
}
