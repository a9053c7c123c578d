// swift-tools-version:6.2
import PackageDescription

/// A library of Placekeeper.
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "placekeeper") }

/// An app that uses the client beside the stand-ins of SwiftUI and UIKit. The apps have the same sources, and different
/// settings of concurrency.
func app(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .target(
        name: name, dependencies: ["SwiftUIStub", "UIKitStub", library("PlacekeeperKit")], swiftSettings: settings)
}

/// An app's package that depends on Placekeeper. `.ci/consumer` builds and runs it.
let package = Package(
    name: "Consumer",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(url: "https://git.example.com/placekeeper.git", from: "0.1.0")],
    targets: [
        .executableTarget(name: "consumer", dependencies: ["AppTests"], path: "Sources/Consumer"),
        // Stand-ins for Apple's modules. They declare the type names that a file of an app sees when the file imports
        // SwiftUI or UIKit. If they had the names of Apple's modules, PlacekeeperKit would import them.
        .target(name: "SwiftUIStub", path: "Sources/Stubs/SwiftUIStub"),
        .target(name: "UIKitStub", path: "Sources/Stubs/UIKitStub"),
        // An app's file that imports these modules and the libraries. It does not compile if a name is ambiguous.
        .target(
            name: "AppWithInterface",
            dependencies: [
                "SwiftUIStub", "UIKitStub", library("PlacekeeperKit"), library("PlacekeeperUIKit"),
                library("PlacekeeperTesting"),
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
        .target(name: "AppTests", dependencies: [library("PlacekeeperKit"), library("PlacekeeperTesting")]),
    ]
)
