// swift-tools-version:6.2
import PackageDescription

/// An app's package that depends on Placekeeper. `.ci/consumer` builds and runs it.
let package = Package(
    name: "Consumer",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "placekeeper", path: "../..")],
    targets: [
        .executableTarget(
            name: "consumer",
            dependencies: [
                .product(name: "KeyedArchive", package: "placekeeper"),
                .product(name: "StateRestoration", package: "placekeeper"),
            ],
            path: "Sources/Consumer")
    ]
)
