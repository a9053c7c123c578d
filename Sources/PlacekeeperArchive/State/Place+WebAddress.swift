extension Place {
    /// The maximum size of a web address, in bytes.
    public static let maximumWebAddressSize = 2048

    /// Returns whether a place can have this web address: an absolute `http` or `https` URL with a host (RFC 9110,
    /// section 4.2), at most `maximumWebAddressSize` bytes long. It must not contain credentials. A port is at most
    /// 65,535. Characters not allowed in URLs must be percent-encoded (RFC 3986, section 2).
    public static func isWebAddress(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(maximumWebAddressSize + 1))
        guard bytes.count <= maximumWebAddressSize, let scheme = schemeLength(of: bytes) else { return false }
        let rest = bytes[scheme...]
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        guard isAuthority(rest[..<end]) else { return false }
        let tail = rest[end...]
        let fragment = tail.firstIndex(of: 0x23) ?? tail.endIndex
        return areAllowed(tail[..<fragment], besides: tailBytes)
            && areAllowed(tail[fragment...].dropFirst(), besides: tailBytes)
    }

    /// Returns the length of the leading `http://` or `https://`, in bytes. `nil` if there is none.
    private static func schemeLength(of bytes: [UInt8]) -> Int? {
        for scheme in ["https://", "http://"] as [StaticString] {
            let isScheme = scheme.withUTF8Buffer { scheme in
                bytes.count > scheme.count
                    && zip(bytes, scheme).allSatisfy { $0 == $1 || $1 > 0x60 && $0 == $1 - 0x20 }
            }
            if isScheme { return scheme.utf8CodeUnitCount }
        }
        return nil
    }

    /// Returns whether the bytes are a host, optionally followed by a port.
    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        let host: ArraySlice<UInt8>
        if bytes.first == 0x5B {
            // An IPv6 address in brackets.
            guard let end = bytes.firstIndex(of: 0x5D) else { return false }
            host = bytes[...end]
            let address = host.dropFirst().dropLast()
            guard !address.isEmpty, address.allSatisfy({ isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E }) else {
                return false
            }
        } else {
            host = bytes.prefix { $0 != 0x3A }
            guard !host.isEmpty, areAllowed(host, besides: "") else { return false }
        }
        let port = bytes[host.endIndex...]
        return port.isEmpty || port.first == 0x3A && isPort(port.dropFirst())
    }

    /// Returns whether the bytes are a number up to 65,535, or empty (RFC 3986, section 3.2.3).
    private static func isPort(_ digits: ArraySlice<UInt8>) -> Bool {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        let digits = digits.drop { $0 == 0x30 }
        return digits.count <= 5 && digits.reduce(0) { 10 * $0 + Int($1 - 0x30) } <= 0xFFFF
    }

    /// Bytes allowed in a path, query or fragment, in addition to those allowed in a host.
    private static let tailBytes: StaticString = ":@/?"
    /// Bytes allowed in every component, besides letters and digits: `unreserved` and `sub-delims`.
    private static let otherBytes: StaticString = "-._~!$&'()*+,;="

    /// Returns whether each byte is allowed, and each `%` begins a percent-encoded byte.
    private static func areAllowed(_ bytes: ArraySlice<UInt8>, besides others: StaticString) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0x25 {
                guard index + 2 < bytes.endIndex, isHexadecimal(bytes[index + 1]), isHexadecimal(bytes[index + 2])
                else { return false }
                index += 3
                continue
            }
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: break
            default: guard contains(byte, otherBytes) || contains(byte, others) else { return false }
            }
            index += 1
        }
        return true
    }

    private static func contains(_ byte: UInt8, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { $0.contains(byte) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
