// swift-format-ignore-file

// The declarations of Darwin that the server's targets and their tests use and that Linux has not, or has with another
// type. `Shared.swift` lists the declarations that both systems have. A use of any other declaration of Glibc is an error.
public import Glibc
@_exported public import DarwinCalls

public typealias stat = Glibc.stat
public typealias flock = Glibc.flock
public typealias sigaction = Glibc.sigaction
public typealias statvfs = Glibc.statvfs
public let POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 = 0x4000
public let IPPROTO_TCP: Int32 = 6
public let IPPROTO_IPV6: Int32 = 41

public func timingsafe_bcmp(_ left: UnsafeRawPointer!, _ right: UnsafeRawPointer!, _ count: Int) -> Int32 {
    fatalError()
}
public func arc4random_buf(_ buffer: UnsafeMutableRawPointer!, _ count: Int) { fatalError() }

public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldLength: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newLength: Int
) -> Int32 { fatalError() }

public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022
public let OPEN_MAX: Int32 = 10240
public let RLIMIT_NOFILE: Int32 = 8
public let MAP_ANON: Int32 = 0x1000

public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { fatalError() }
@discardableResult
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { fatalError() }
public func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { fatalError() }

public let RENAME_SWAP: Int32 = 2
public let RENAME_EXCL: Int32 = 4
public func renamex_np(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!, _ flags: UInt32) -> Int32 { fatalError() }

public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public struct _opaque_pthread_t {}
public func pthread_self() -> pthread_t { fatalError() }

extension Glibc.stat {
    public var st_mtimespec: timespec { fatalError() }
}

public struct __sigaction_u {
    public var __sa_handler: (@convention(c) (Int32) -> Void)!
}
extension Glibc.sigaction {
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
@discardableResult
public func memset_s(
    _ bytes: UnsafeMutableRawPointer!, _ size: Int, _ value: Int32, _ count: Int
) -> Int32 { fatalError() }
