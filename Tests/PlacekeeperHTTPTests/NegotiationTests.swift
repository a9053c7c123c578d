import PlacekeeperHTTP
import Testing

@Suite struct NegotiationTests {
    @Test(arguments: [
        ("gzip", true), ("deflate, GZIP;q=0.5, br", true), ("x-gzip", true), ("*", true), ("gzip; Q=0.001", true),
        ("identity;q=0.5, gzip;q=1.000", true), ("gzip\t;\tq=1", true), ("gzip;q=0.999", true),
        ("gzip, identity", true),
        ("", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
        ("gzip;q=0, *", false), ("identity, gzip;q=0.9", false), ("identity, *;q=0.1", false), ("gzipped", false),
        ("gzip;q=2", false), ("gzip;q=1.001", false), ("gzip;q=0.0001", false), ("gzip;q=x", false), ("gzip;", false),
        ("gzip;level=9", false), ("gzip q=1", false), ("gzip;q=", false), ("gzip;q=0x1", false),
    ])
    func acceptsGzipByItsWeight(value: String, isAccepted: Bool) throws {
        #expect(try RequestHead.get("/", "Accept-Encoding: \(value)").acceptsGzip == isAccepted)
    }

    @Test func acceptsNoGzipWithoutAcceptEncoding() throws {
        #expect(try !RequestHead.get().acceptsGzip)
        #expect(try RequestHead.get("/", "Accept-Encoding: br", "Accept-Encoding: gzip").acceptsGzip)
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON ; charset=utf-8", true), ("application/json, */*;q=0.1", true),
        ("application/json, text/plain, */*", true), ("application/x-plist;q=0.5, application/json", true),
        ("application/json;v=1; Q=0.6, application/x-plist;q=0.5", true),
        ("*/*", false), ("application/*", false), ("", false), ("application/json;q=0", false),
        ("application/json, application/x-plist", false), ("application/json;q=0.5, application/x-plist", false),
        ("application/json;v=1;q=0", false), ("application/jsonp", false), ("application/json;q=x", false),
    ])
    func prefersMediaTypeByItsWeight(value: String, isPreferred: Bool) throws {
        let head = try RequestHead.get("/", "Accept: \(value)")
        #expect(head.prefers("application/json", to: "application/x-plist") == isPreferred)
        #expect(try !RequestHead.get().prefers("application/json", to: "application/x-plist"))
    }

    @Test(
        arguments: [
            ("gzip", .gzip), ("X-GZIP", .gzip), ("identity", .identity), ("", .identity), ("identity, gzip", .gzip),
            ("br", .unknown), ("gzip, gzip", .unknown), ("gzip, br", .unknown), ("gzip;q=1", .unknown),
        ] as [(String, RequestHead.ContentCoding)])
    func readsTheContentCoding(value: String, coding: RequestHead.ContentCoding) throws {
        #expect(try RequestHead.get("/", "Content-Encoding: \(value)").contentCoding == coding)
        #expect(try RequestHead.get().contentCoding == .identity)
    }
}
