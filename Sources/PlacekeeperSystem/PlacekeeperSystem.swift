// The system's C library, for all targets of the server. Names that one system lacks, or declares with another type,
// are used only in `Platform`.
#if canImport(Darwin)
    @_exported public import Darwin
#else
    @_exported public import Glibc
#endif
