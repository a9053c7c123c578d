import PlacekeeperAPI
import PlacekeeperJSON
import PlacekeeperServer
import PlacekeeperSystem

/// What reaches the service of a request through its proxy.
struct ProxyCheck {
    /// The URL at which clients reach the service, without a trailing slash.
    var url: String
    var addressField: String?
    var schemeField: String?

    static func findings(_ arguments: Arguments) -> [Finding] {
        var settings = arguments
        if let url = arguments.operands.first { settings.flags[Option.url.name] = [url] }
        guard let url = (try? settings.url()) ?? nil else {
            return arguments.operands.isEmpty
                ? [.skipped("proxy", "no URL: name the one that clients use, as in placekeeper doctor https://…")]
                : [.problem("proxy", "the URL is not valid", do: "give a URL like https://places.example.com")]
        }
        if let address = try? arguments.listenAddress(), url == "http://\(address)" {
            return [.skipped("proxy", "\(url) is the service itself")]
        }
        let check = ProxyCheck(
            url: url, addressField: (try? arguments.fieldName(.clientAddressField)) ?? nil,
            schemeField: (try? arguments.fieldName(.clientSchemeField)) ?? nil)
        return check.findings(environment: arguments.environment)
    }

    private var isSecure: Bool { url.lowercased().hasPrefix("https:") }

    /// An address for documentation (RFC 5737), which no client has.
    static let forgedAddress = "192.0.2.66"

    /// Asks as a client that forges the proxy's fields.
    private func findings(environment: [String: String]) -> [Finding] {
        // First, so that curl reads no ~/.curlrc.
        var line = ["--disable", "--silent", "--show-error", "--max-time", "5", "--noproxy", "*"]
        for (field, value) in [(addressField, Self.forgedAddress), (schemeField, isSecure ? "http" : "https")] {
            if let field { line += ["--header", "\(field): \(value)"] }
        }
        let run = ChildProgram("curl", line + ["--", url + "/version"], environment).run()
        if case .unstartable = run.end { return [.skipped("proxy", "curl is needed to ask \(url)")] }
        guard run.end == .exit(0) else {
            let reason = run.output.split(separator: "\n").last.map(String.init) ?? "no answer in time"
            return [
                .problem(
                    "proxy", "\(url) cannot be reached: \(reason)",
                    do: "check the proxy, its certificate and the name of the host")
            ]
        }
        return findings(answer: run.output)
    }

    /// - Parameter answer: the body of `/version`.
    func findings(answer: String) -> [Finding] {
        guard let document = try? JSONDocument(Array(answer.utf8), depth: 8),
            let version = try? document.decode(Wire.Version.self), let request = version.request
        else {
            return [
                .problem(
                    "proxy", "\(url) is not answered by this version of placekeeper",
                    do: "let the proxy pass all paths to the service, and restart the service after an update")
            ]
        }
        return (findings(address: request) + findings(scheme: request) + findings(host: request))
            .orOK("proxy", "\(url) passes the client's address, scheme and host")
    }

    private func findings(address request: Wire.Version.Request) -> [Finding] {
        guard let addressField else {
            return [
                .problem(
                    "proxy", "all clients of the proxy count as one, with the address \(request.address)",
                    do: "let the proxy send its client's address, and name the field in client-address-field")
            ]
        }
        guard request.isForwarded else {
            return [
                .problem(
                    "proxy", "no field \(addressField) was taken from \(request.address)",
                    do: "let the proxy send this field, and list the proxy in trusted-proxies")
            ]
        }
        guard request.address == Self.forgedAddress else { return [] }
        return [
            .problem(
                "proxy", "clients choose their address: the proxy passes on their own field \(addressField)",
                do: "let the first proxy replace the field, as in docs/operating.md")
        ]
    }

    private func findings(scheme request: Wire.Version.Request) -> [Finding] {
        guard isSecure != (request.scheme == "https") else { return [] }
        if !isSecure {
            return [
                .problem(
                    "proxy", "a request over http counts as https: the proxy passes on its client's field",
                    do: "let the proxy set \(schemeField ?? "the field") to the scheme of the request")
            ]
        }
        return [
            .problem(
                "proxy", "requests over https count as http, so cookies are not Secure",
                do: schemeField.map { "let the proxy send the field \($0), and list the proxy in trusted-proxies" }
                    ?? "let the proxy send the scheme, and name the field in client-scheme-field")
        ]
    }

    private func findings(host request: Wire.Version.Request) -> [Finding] {
        var rest = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        // Clients leave out the usual port.
        let usual = isSecure ? ":443" : ":80"
        if rest.hasSuffix(usual) { rest = rest.dropLast(usual.count) }
        guard request.host?.lowercased() != rest.lowercased() else { return [] }
        return [
            .problem(
                "proxy", "the proxy changes the field Host to \(quoted(request.host ?? ""))",
                do: "let the proxy keep Host, or the admin page refuses each write (origin-not-allowed)")
        ]
    }
}
