// swift-format-ignore-file

// The declarations of Darwin that the server's targets use and that Linux has not, or has with another type. All other
// declarations are those of Glibc.
@_exported public import Glibc

public func timingsafe_bcmp(_ left: UnsafeRawPointer!, _ right: UnsafeRawPointer!, _ count: Int) -> Int32 {
    fatalError()
}
public func arc4random_buf(_ buffer: UnsafeMutableRawPointer!, _ count: Int) { fatalError() }

public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022
public let OPEN_MAX: Int32 = 10240
public let RLIMIT_NOFILE: Int32 = 8
public let MAP_ANON: Int32 = 0x1000

public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { fatalError() }
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { fatalError() }
@discardableResult
public func setrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { fatalError() }
public func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { fatalError() }

public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public struct _opaque_pthread_t {}
public func pthread_self() -> pthread_t { fatalError() }

extension stat {
    public var st_mtimespec: timespec { fatalError() }
}

public struct __sigaction_u {
    public var __sa_handler: (@convention(c) (Int32) -> Void)!
}
extension sigaction {
    public var __sigaction_u: __sigaction_u {
        get { fatalError() }
        set {}
    }
}

public struct clockid_t: Sendable {}
public var CLOCK_REALTIME: clockid_t { fatalError() }
public var CLOCK_MONOTONIC: clockid_t { fatalError() }
@discardableResult
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 { fatalError() }
