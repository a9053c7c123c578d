// swift-tools-version:6.2
import PackageDescription

/// A library of Placekeeper.
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "placekeeper") }

/// An app that uses the client beside the stand-ins of SwiftUI and UIKit. The apps have the same sources, and different
/// settings of concurrency.
func app(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .target(
        name: name,
        dependencies: [
            "SwiftUI", "UIKit", library("PlacekeeperArchive"), library("PlacekeeperRuntime"),
            library("PlacekeeperClient"),
        ],
        swiftSettings: settings)
}

/// An app's package that depends on Placekeeper. `.ci/consumer` builds and runs it.
let package = Package(
    name: "Consumer",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(url: "https://git.example.com/placekeeper.git", from: "0.1.0")],
    targets: [
        .executableTarget(
            name: "consumer",
            dependencies: [
                "AppTests", library("PlacekeeperArchive"), library("PlacekeeperRuntime"),
                library("PlacekeeperStandIns"),
            ],
            path: "Sources/Consumer"),
        // Stand-ins for Apple's modules. They declare the type names that a file of an app sees when the file imports
        // SwiftUI or UIKit.
        .target(name: "SwiftUI", path: "Sources/Stubs/SwiftUI"),
        .target(name: "UIKit", path: "Sources/Stubs/UIKit"),
        // An app's file that imports these modules and the libraries. It does not compile if a name is ambiguous.
        .target(
            name: "AppWithInterface",
            dependencies: [
                "SwiftUI", "UIKit", library("PlacekeeperArchive"), library("PlacekeeperRuntime"),
                library("PlacekeeperClient"),
            ],
            path: "Sources/AppWithInterface"),
        app("App", []),
        app("CallerIsolatedApp", [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        app("MainActorApp", [.defaultIsolation(MainActor.self)]),
        // The settings of a new app in Xcode 26.
        app(
            "ApproachableApp",
            [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        // Tests of an app, which the command runs.
        .target(
            name: "AppTests",
            dependencies: [
                library("PlacekeeperTesting"), library("PlacekeeperClient"), library("PlacekeeperRuntime"),
                library("PlacekeeperArchive"),
            ]),
    ]
)
