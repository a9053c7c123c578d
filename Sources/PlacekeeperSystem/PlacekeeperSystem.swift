// The C library of the system, for all targets of the server. Every use of a name that the systems lack, or declare
// with another type, is in `Platform`.
#if canImport(Darwin)
    @_exported public import Darwin
#else
    @_exported public import Glibc
#endif
