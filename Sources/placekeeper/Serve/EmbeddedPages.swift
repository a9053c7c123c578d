import PlacekeeperCompression
import PlacekeeperServer

/// The files of the folder `Public` and the file `openapi.yaml`, which are embedded in the program. The plugin
/// `PlacekeeperEmbedPages` compresses them during the build.
enum EmbeddedPages {
    /// The files of the folder `Public`.
    static func files() throws(CommandFailure) -> [Assets.File] {
        try CompressedFiles.all.filter { $0.name != description }.map(inflated)
    }

    /// The file `openapi.yaml`.
    static func openAPI() throws(CommandFailure) -> Assets.File? {
        try CompressedFiles.all.first { $0.name == description }.map(inflated)
    }

    private static let description = "openapi.yaml"

    private static func inflated(_ file: (name: String, gzip: [UInt8])) throws(CommandFailure) -> Assets.File {
        do {
            let bytes = try Compressor(.gzip).inflate(file.gzip, count: declaredLength(ofGzip: file.gzip) ?? 0)
            return Assets.File(name: file.name, bytes: bytes, gzip: file.gzip)
        } catch {
            throw CommandFailure(.unavailable, "the program's own page \(file.name) is damaged: \(error.code.rawValue)")
        }
    }
}
