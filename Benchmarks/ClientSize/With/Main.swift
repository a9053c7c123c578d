import Foundation
import PlacekeeperArchive
import PlacekeeperClient

/// A program that uses the client, for the measurement of the client's size. Takes the server's address and the app's
/// key.
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let server = URL(string: CommandLine.arguments[1]) else {
            return print(FileManager.default.currentDirectoryPath)
        }
        let placekeeper = Placekeeper(server, key: CommandLine.arguments[2])
        let scene = placekeeper.scene()
        let launch = await scene.launch()
        print(launch.reason)
        scene.save(launch.restore?.archive ?? StateArchive(bundleVersion: "1"))
        try await placekeeper.flush()
        for await offer in scene.offers { print(offer?.place.titles ?? []) }
    }
}
