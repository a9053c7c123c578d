import CSQLite
import Compression
import Concurrency
import Cryptography
import Foundation
import JSONWebToken
import PlacekeeperKit

/// An app that uses the client, and has modules of its own with names that parts of a server often have.
@main
@MainActor
struct OwnNames {
    static func main() async {
        let placekeeper = Placekeeper(URL(fileURLWithPath: "/"), key: "pk_example")
        let scene = placekeeper.scene([Int].self)
        let names = [
            String(cString: own_sqlite()), Compression.ownName, Concurrency.ownName, Cryptography.ownName,
            JSONWebToken.ownName,
        ]
        print(scene.name, names.joined(separator: " "))
    }
}
