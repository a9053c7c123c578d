// The declarations of Darwin that the server's targets use and that Linux has not, or has with another type. All other
// declarations are those of Glibc.
@_exported public import Glibc

public func timingsafe_bcmp(_ left: UnsafeRawPointer!, _ right: UnsafeRawPointer!, _ count: Int) -> Int32 {
    fatalError()
}
public func arc4random_buf(_ buffer: UnsafeMutableRawPointer!, _ count: Int) { fatalError() }
