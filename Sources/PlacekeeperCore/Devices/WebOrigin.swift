/// The origins of web pages, as browsers send them in the field `Origin` (RFC 6454 section 6.2).
package enum WebOrigin {
    /// Returns whether a text is the origin of a page: `https` or `http` in lower case, a host in lower case, and a port
    /// only if it isn't the scheme's own. The scheme may also be that of a hybrid app, such as `capacitor://localhost`.
    /// An international name is in its ASCII form. The opaque origin `null` isn't the origin of one page.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= Limits.webOrigin else { return false }
        for (scheme, port) in [("https://", 443), ("http://", 80)] where bytes.starts(with: scheme.utf8) {
            return isAuthority(bytes[scheme.utf8.count...], besides: port)
        }
        // The web views of hybrid apps have schemes of their own, such as capacitor://localhost.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            let first = bytes.first, (0x61...0x7A).contains(first),
            !["file", "ftp", "ws", "wss"].contains(where: { $0.utf8.elementsEqual(bytes[..<colon]) }),
            bytes[..<colon].allSatisfy({ isLabelByte($0) && $0 != UInt8(ascii: "_") || $0 == 0x2B || $0 == 0x2E })
        else { return false }
        return isAuthority(bytes[(colon + 3)...], besides: nil)
    }

    private static func isAuthority(_ bytes: ArraySlice<UInt8>, besides usual: Int?) -> Bool {
        let host: ArraySlice<UInt8>
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
            host = bytes[...end]
            let address = host.dropFirst().dropLast()
            guard !address.isEmpty, address.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") }) else {
                return false
            }
        } else {
            host = bytes.prefix { $0 != UInt8(ascii: ":") }
            let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLabelByte) }) else { return false }
        }
        let port = bytes[host.endIndex...]
        guard let colon = port.first else { return true }
        let digits = port.dropFirst()
        guard colon == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return false }
        let number = digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
        return number <= 0xFFFF && number != usual
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
