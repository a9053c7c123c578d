// swift-format-ignore-file

// The functions of Darwin that have the name of a structure. A Swift module cannot declare both.
public import Glibc

public func stat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<Glibc.stat>!) -> Int32 { fatalError() }
public func statvfs(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<Glibc.statvfs>!) -> Int32 { fatalError() }
public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { fatalError() }
@discardableResult
public func sigaction(
    _ number: Int32, _ action: UnsafePointer<Glibc.sigaction>!, _ old: UnsafeMutablePointer<Glibc.sigaction>!
) -> Int32 { fatalError() }
