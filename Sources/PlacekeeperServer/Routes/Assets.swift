import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// The files that are served in addition to the routes. They are read once into a table of names, so a request can't
/// reach other files.
package struct Assets: Sendable {
    /// A file that was read when the service started.
    package struct File: Sendable {
        /// The path below the public directory, such as `status.css`.
        package var name: String
        package var bytes: [UInt8]
        /// The gzip-compressed bytes. Nil if the server must compress the file itself.
        package var gzip: [UInt8]?

        package init(name: String, bytes: [UInt8], gzip: [UInt8]? = nil) {
            self.name = name
            self.bytes = bytes
            self.gzip = gzip
        }
    }

    private let table: [ArraySlice<UInt8>: Asset]

    init(_ files: [File], hashing: any Hashing, gzip: (any GzipCoding)?) {
        var table: [ArraySlice<UInt8>: Asset] = [:]
        for file in files {
            let asset = Asset(file, hashing: hashing, gzip: gzip)
            table[Array("/\(file.name)".utf8)[...]] = asset
            if let folder = Self.folder(of: file.name) { table[Array(folder.utf8)[...]] = asset }
        }
        self.table = table
    }

    /// Returns the path of the folder whose page is this file. Nil if the file isn't the page of a folder.
    private static func folder(of name: String) -> String? {
        switch name {
        case "index.html": "/"
        case "admin/admin.html": "/admin/"
        case "demo/index.html": "/demo/"
        default: nil
        }
    }

    /// Returns the path of a folder with a page if only the final slash is missing. Nil for any other path.
    func folder(at path: ArraySlice<UInt8>) -> String? {
        let folder = path + [0x2F]
        return table[folder] == nil ? nil : String(decoding: folder, as: UTF8.self)
    }

    /// Returns the asset at a request's path, without percent-decoding.
    subscript(path: ArraySlice<UInt8>) -> Asset? { table[path] }

    /// A file with its compressed form and entity tags.
    struct Asset: Sendable {
        private let bytes: [UInt8]
        private let coded: [UInt8]?
        private let type: StaticString
        private let tag: [UInt8]
        private let codedTag: [UInt8]
        let contentSecurityPolicy: StaticString
        /// Whether pages of every origin may load the file: it is the client for web apps.
        private let isForEveryOrigin: Bool

        init(_ file: File, hashing: any Hashing, gzip: (any GzipCoding)?) {
            bytes = file.bytes
            contentSecurityPolicy = file.name.utf8.starts(with: "demo/".utf8) ? Self.demoPolicy : Self.policy
            isForEveryOrigin = file.name.utf8.starts(with: "client/".utf8)
            let isText: Bool
            (type, isText) = Self.type(of: file.name)
            coded =
                isText && bytes.count >= ContentCoding.threshold
                ? gzip.flatMap { file.gzip ?? $0.deflate(file.bytes) } : nil
            tag = ContentCoding.entityTag(of: bytes, hashing, coded: false)
            codedTag = ContentCoding.entityTag(of: bytes, hashing, coded: true)
        }

        /// Returns the response to a GET or HEAD request.
        ///
        /// - Parameter isPage: whether the file belongs to a page.
        func response(for head: RequestHead, isPage: Bool) -> Response {
            let coded = head.acceptsGzip ? coded : nil
            let tag = coded == nil ? tag : codedTag
            var response = Response(.ok, body: .bytes(coded ?? bytes))
            response.fields.add(.etag, tag)
            response.fields.add(.cacheControl, "no-cache")
            response.fields.add(.vary, "Accept-Encoding")
            if isForEveryOrigin { response.fields.add(.accessControlAllowOrigin, "*") }
            if isPage { response.fields.add(.referrerPolicy, "no-referrer") }
            if head.ifNoneMatchNames(tag) == true {
                response.status = .notModified
                response.body = .empty
                return response
            }
            response.fields.add(.contentType, type)
            if coded != nil { response.fields.add(.contentEncoding, "gzip") }
            return response
        }

        /// The content security policy of the files. A page may show images that it creates itself (`blob:`), but can't
        /// turn text into markup or script.
        static let policy: StaticString =
            """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; \
            connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
            require-trusted-types-for 'script'; trusted-types 'none'
            """

        /// The policy of the demo, which shows its reading app in frames.
        static let demoPolicy: StaticString =
            """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
            frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; \
            require-trusted-types-for 'script'; trusted-types 'none'
            """

        private static func type(of name: String) -> (StaticString, isText: Bool) {
            switch name.split(separator: ".").last.map({ $0.lowercased() }) {
            case "html": ("text/html; charset=utf-8", true)
            case "css": ("text/css; charset=utf-8", true)
            case "js", "mjs": ("text/javascript; charset=utf-8", true)
            case "json", "map": ("application/json", true)
            case "webmanifest": ("application/manifest+json", true)
            // The media type is from RFC 9512.
            case "yaml", "yml": ("application/yaml", true)
            case "svg": ("image/svg+xml", true)
            case "txt", "md", "ts": ("text/plain; charset=utf-8", true)
            case "png": ("image/png", false)
            case "jpg", "jpeg": ("image/jpeg", false)
            case "ico": ("image/x-icon", false)
            case "woff2": ("font/woff2", false)
            default: ("application/octet-stream", false)
            }
        }
    }
}
