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
                .product(name: "RestorationInterface", package: "placekeeper"),
            ],
            path: "Sources/Consumer"),
        // Stand-ins for Apple's modules. They declare the type names that a file of an app sees when the file imports
        // SwiftUI or UIKit.
        .target(name: "SwiftUI", path: "Sources/Stubs/SwiftUI"),
        .target(name: "UIKit", path: "Sources/Stubs/UIKit"),
        // An app's file that imports these modules and the runtime. It does not compile if a name is ambiguous.
        .target(
            name: "AppWithInterface",
            dependencies: [
                "SwiftUI", "UIKit", .product(name: "KeyedArchive", package: "placekeeper"),
                .product(name: "StateRestoration", package: "placekeeper"),
            ],
            path: "Sources/AppWithInterface"),
    ]
)
