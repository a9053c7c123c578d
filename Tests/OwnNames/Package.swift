// swift-tools-version:6.2
import PackageDescription

/// An app's package that depends on Placekeeper, and has targets with names that a server's parts often have.
/// `.ci/consumer` builds and runs it, and looks at the targets that were built.
let package = Package(
    name: "OwnNames",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(url: "https://git.example.com/placekeeper.git", from: "0.1.0")],
    targets: [
        .executableTarget(
            name: "OwnNames",
            dependencies: [
                "CSQLite", "Concurrency", "Compression", "Cryptography", "JSONWebToken",
                .product(name: "PlacekeeperKit", package: "placekeeper"),
            ]),
        .target(name: "CSQLite"),
        .target(name: "Concurrency"),
        .target(name: "Compression"),
        .target(name: "Cryptography"),
        .target(name: "JSONWebToken"),
    ])
