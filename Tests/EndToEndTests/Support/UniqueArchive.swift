import PlacekeeperArchive

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An archive with unique bytes and a unique id.
struct UniqueArchive: Sendable {
    let id = UUID().uuidString.lowercased()
    let bytes: [UInt8]

    /// Creates an archive with `size` bytes of random text, which cannot be compressed well.
    init(size: Int = 512, idiom: Int64 = 0) throws {
        let text = String(decoding: (0..<size).map { _ in UInt8.random(in: 0x20...0x7E) }, as: UTF8.self)
        bytes = try StateArchive(bundleVersion: "42", idiom: idiom, application: ["draft": .string(text)]).encoded()
    }

    func path(in scene: String) -> String { "/v1/scenes/\(scene)/archives/\(id)" }
}
