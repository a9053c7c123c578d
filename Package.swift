// swift-tools-version:6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], excluding: [String] = [], resources: [Resource] = [],
    optimizedFor settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: excluding, resources: resources,
        swiftSettings: strict + settings)
}

/// A library that only tests use.
func testLibrary(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/" + name, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = [], excluding: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: excluding,
        swiftSettings: strict)
}

/// `PLACEKEEPER_UIKIT=double` builds on Linux what needs UIKit, with a double of UIKit for tests, and only the tests
/// that use it. Give such a build a folder of its own (`make test-uikit`): other targets must not find that module.
let hasDoubleOfUIKit = Context.environment["PLACEKEEPER_UIKIT"] == "double"
let uiKit: [Target.Dependency] = hasDoubleOfUIKit ? ["UIKit"] : []
let productsForTests: [Product] = hasDoubleOfUIKit ? [.library(name: "UIKit", targets: ["UIKit"])] : []

/// Whether another package depends on this one by a URL. SwiftPM and Xcode keep such a package in a folder `checkouts`,
/// and before that they read its manifest at the root of a file system. It has the client alone then: an app builds no
/// plugin and no tool of ours (docs/decisions/0088-a-dependent-package-sees-the-client.md).
let isDependency =
    Context.packageDirectory == "/" || Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
/// For code whose size in the command counts more than its speed. SwiftPM takes such a flag from no dependency.
let size: [SwiftSetting] = isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]
/// `PLACEKEEPER_TARGETS=portable` also leaves the server out, for a build of all targets for iOS.
let hasServer =
    !isDependency && !hasDoubleOfUIKit && Context.environment["PLACEKEEPER_TARGETS"] != "portable"

#if os(Linux)
    /// The folders that this system leaves out of `PlacekeeperSystem`, `PlacekeeperSockets` and
    /// `PlacekeeperCryptography`.
    let (foreignLibrary, foreignPollers, foreignCryptography): ([String], [String], [String]) =
        (["Darwin"], [], ["Darwin"])
    /// The libraries that only Linux uses.
    let (linux, libcrypto): ([Target.Dependency], [Target.Dependency]) = (["CPlacekeeperLinux"], ["CPlacekeeperCrypto"])
#else
    let (foreignLibrary, foreignPollers, foreignCryptography): ([String], [String], [String]) =
        (["Linux"], ["Linux"], ["Libcrypto"])
    let (linux, libcrypto): ([Target.Dependency], [Target.Dependency]) = ([], [])
#endif

/// What runs on clients as well as on servers: no C library, the client's minimum systems.
let portable: [Target] = [
    library("PlacekeeperArchive"),
    // How two devices' lists are compared: for the service, and for the device that restores.
    library("PlacekeeperAlignment"),
    // Finds a list's elements on this device, and goes to the screens of a place.
    library("PlacekeeperModels", ["PlacekeeperArchive", "PlacekeeperAlignment"]),
    // UIKit's state restoration, for view controllers and views of any framework.
    library("PlacekeeperRuntime", ["PlacekeeperModels", "PlacekeeperArchive"]),
    // View controllers and views of no platform: for tests, and for apps without UIKit.
    library("PlacekeeperStandIns", ["PlacekeeperRuntime", "PlacekeeperArchive"]),
    library("PlacekeeperAPI", optimizedFor: size),
    // The SDK of an app: saves, sends, launches and offers, without a user interface framework.
    // The resource is the privacy manifest for the App Store (docs/privacy.md).
    library(
        "PlacekeeperClient", ["PlacekeeperModels", "PlacekeeperArchive", "PlacekeeperConcurrency"],
        resources: [.copy("PrivacyInfo.xcprivacy")]),
    // What an app imports: the client with states of the app's own types, and the adapters for SwiftUI and UIKit.
    library("PlacekeeperKit", ["PlacekeeperClient", "PlacekeeperModels", "PlacekeeperArchive"] + uiKit),
    // Lets the runtime keep its archives in a scene of the client.
    library(
        "PlacekeeperSceneStorage",
        ["PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperModels", "PlacekeeperArchive"]),
    // UIKit's own state restoration, for apps with scenes. Other systems build nothing of it.
    library(
        "PlacekeeperUIKit",
        ["PlacekeeperKit", "PlacekeeperSceneStorage", "PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperArchive"]
            + uiKit),
    // Threads for work that blocks, fair queues and locks: nothing of this project's field.
    library("PlacekeeperConcurrency"),
    // A user's state and the rules of its changes: values without a store, a clock or a lock.
    library("PlacekeeperCore", ["PlacekeeperArchive"]),
    // Finds a list's items on another device, by the items that a protocol reads. A client can link it.
    library("PlacekeeperMatching", ["PlacekeeperAlignment", "PlacekeeperCore", "PlacekeeperArchive"]),
    // The use cases, and the protocols of the stores.
    library(
        "PlacekeeperService",
        ["PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperArchive", "PlacekeeperConcurrency"]),
    // Keeps everything in memory: what other stores are compared with, and what tests use.
    library("PlacekeeperMemoryStore", ["PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService"]),
    library("PlacekeeperHTTP"),
    library("PlacekeeperJSON", ["PlacekeeperArchive"]),
    // The REST layer without sockets. The command's targets add the sockets.
    library(
        "PlacekeeperServer",
        [
            "PlacekeeperArchive", "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperAPI",
            "PlacekeeperHTTP", "PlacekeeperJSON",
            "PlacekeeperConcurrency",
        ]),
    // An app's own tests: the service in memory, virtual devices, and faults.
    library(
        "PlacekeeperTesting",
        [
            "PlacekeeperKit", "PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperCore", "PlacekeeperService",
            "PlacekeeperMemoryStore",
            "PlacekeeperServer",
            "PlacekeeperHTTP", "PlacekeeperConcurrency",
        ]),
    // Doubles of the service's dependencies, and public test data, for the tests of several targets.
    testLibrary(
        "PlacekeeperTestSupport",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperMemoryStore",
            "PlacekeeperConcurrency",
        ]),
    // What every store must do.
    testLibrary(
        "PlacekeeperStoreConformance",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperTestSupport",
            "PlacekeeperConcurrency", "PlacekeeperArchive",
        ]),
    // Apps that the runtime's tests play, and that show how it is used.
    testLibrary("PlacekeeperSampleApps", ["PlacekeeperStandIns", "PlacekeeperRuntime", "PlacekeeperArchive"]),
    tests(of: "PlacekeeperArchive", ["PlacekeeperTestSupport"]),
    tests(
        of: "PlacekeeperRuntime",
        [
            "PlacekeeperModels", "PlacekeeperAlignment", "PlacekeeperStandIns", "PlacekeeperArchive",
            "PlacekeeperSampleApps",
        ]),
    // The sample apps on two devices, with the service between them.
    .testTarget(
        name: "IdentityTests",
        dependencies: [
            "PlacekeeperModels", "PlacekeeperRuntime", "PlacekeeperStandIns", "PlacekeeperArchive",
            "PlacekeeperSampleApps",
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService",
            "PlacekeeperMemoryStore", "PlacekeeperConcurrency", "PlacekeeperStoreConformance", "PlacekeeperTestSupport",
        ],
        swiftSettings: strict),
    tests(of: "PlacekeeperAPI"),
    tests(of: "PlacekeeperConcurrency"),
    tests(
        of: "PlacekeeperService",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperStoreConformance", "PlacekeeperTestSupport",
            "PlacekeeperMemoryStore", "PlacekeeperConcurrency",
            "PlacekeeperArchive",
        ]),
    tests(
        of: "PlacekeeperMemoryStore",
        ["PlacekeeperMatching", "PlacekeeperService", "PlacekeeperStoreConformance", "PlacekeeperTestSupport"]),
    tests(of: "PlacekeeperHTTP", ["PlacekeeperTestSupport"]),
    tests(of: "PlacekeeperJSON"),
    tests(
        of: "PlacekeeperKit",
        [
            "PlacekeeperTesting", "PlacekeeperSceneStorage", "PlacekeeperClient", "PlacekeeperRuntime",
            "PlacekeeperArchive",
            "PlacekeeperConcurrency",
        ]),
    // The recipes of docs/recipes.md, each between two virtual devices.
    .testTarget(
        name: "RecipeTests",
        dependencies: [
            "PlacekeeperKit", "PlacekeeperTesting", "PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperArchive",
        ],
        path: "Tests/Recipes", exclude: ["Checks/Routes.json"], swiftSettings: strict),
    // Uses the public interface alone, as an app's own tests do.
    tests(
        of: "PlacekeeperTesting", ["PlacekeeperKit", "PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperArchive"]),
]

/// The double of UIKit, and what is tested with it.
let withDoubleOfUIKit: [Target] = [
    .target(name: "UIKit", path: "Tests/AppleStubs/UIKit", swiftSettings: strict),
    .testTarget(
        name: "PlacekeeperUIKitTests",
        dependencies: [
            "PlacekeeperUIKit", "PlacekeeperKit", "UIKit", "PlacekeeperTesting", "PlacekeeperClient",
            "PlacekeeperRuntime",
        ],
        // Swift Testing has a module of its own for files that import UIKit, but not on Linux.
        swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
]

/// The server and its command: for Linux, and for development on macOS (docs/decisions/0079-a-mac-for-development.md).
let server: [Target] = [
    .systemLibrary(name: "CPlacekeeperSQLite"),
    .systemLibrary(name: "CPlacekeeperZlib"),
    .systemLibrary(name: "CPlacekeeperCrypto"),
    .systemLibrary(name: "CPlacekeeperLinux"),
    // The C library of the system, and the differences between the systems.
    library("PlacekeeperSystem", linux, excluding: foreignLibrary),
    // Looks at a path before a file is opened, replaced or deleted.
    library("PlacekeeperFiles", ["PlacekeeperSystem"], optimizedFor: size),
    library("PlacekeeperSockets", ["PlacekeeperHTTP", "PlacekeeperSystem"] + linux, excluding: foreignPollers),
    // The client's transport on sockets: for the demo and for tests. Apps use URLSession.
    library("PlacekeeperSocketTransport", ["PlacekeeperClient", "PlacekeeperHTTP", "PlacekeeperSystem"]),
    library("PlacekeeperCompression", ["CPlacekeeperZlib"]),
    library("PlacekeeperCryptography", ["PlacekeeperSystem"] + libcrypto, excluding: foreignCryptography),
    // Most of its time is in the library of SQLite.
    library(
        "PlacekeeperSQLite",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperJSON", "CPlacekeeperSQLite",
            "PlacekeeperSystem", "PlacekeeperFiles", "PlacekeeperConcurrency",
        ],
        optimizedFor: size),
    // PostgreSQL's client library is loaded when it is needed, so the build needs no header of it. Its time is in the
    // server.
    library(
        "PlacekeeperPostgres",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperJSON", "PlacekeeperSystem",
            "PlacekeeperConcurrency", "PlacekeeperFiles",
        ],
        optimizedFor: size),
    library("PlacekeeperTokens", ["PlacekeeperJSON", "PlacekeeperCryptography"], optimizedFor: size),
    tests(
        of: "PlacekeeperClient",
        [
            "PlacekeeperTesting", "PlacekeeperSceneStorage", "PlacekeeperRuntime", "PlacekeeperArchive",
            "PlacekeeperModels", "PlacekeeperAPI",
            "PlacekeeperConcurrency", "PlacekeeperCryptography",
            "PlacekeeperSocketTransport", "PlacekeeperSockets", "PlacekeeperHTTP", "PlacekeeperSQLite",
            "PlacekeeperCore", "PlacekeeperService", "PlacekeeperServer",
        ]),
    .executableTarget(
        name: "placekeeper",
        dependencies: [
            "PlacekeeperArchive", "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperSockets",
            "PlacekeeperCompression",
            "PlacekeeperCryptography", "PlacekeeperSQLite", "PlacekeeperPostgres", "PlacekeeperAPI",
            "PlacekeeperServer", "PlacekeeperTokens", "PlacekeeperSystem", "PlacekeeperFiles", "PlacekeeperHTTP",
            "PlacekeeperJSON",
        ],
        // The commands run once, so their size counts more than their speed.
        swiftSettings: strict + size, plugins: ["PlacekeeperEmbedPages"]),
    // Makes the pages a part of the command, compressed.
    .plugin(
        name: "PlacekeeperEmbedPages", capability: .buildTool(), dependencies: ["placekeeper-page-compressor"],
        path: "Sources/PlacekeeperEmbedPages"),
    .executableTarget(name: "placekeeper-page-compressor", swiftSettings: strict),
    // Not a product. It measures beside Foundation, which no target of the server imports.
    .executableTarget(
        name: "placekeeper-bench",
        dependencies: [
            "PlacekeeperArchive", "PlacekeeperRuntime", "PlacekeeperStandIns", "PlacekeeperCore", "PlacekeeperService",
        ],
        path: "Benchmarks/Micro", swiftSettings: strict),
    // Not a product either: identity across devices on a real database.
    .executableTarget(
        name: "placekeeper-bench-identity",
        dependencies: [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperSQLite",
            "PlacekeeperCryptography",
        ],
        path: "Benchmarks/Identity", swiftSettings: strict),
    // Not a product either: how often list items land right on another device.
    .executableTarget(
        name: "placekeeper-bench-lists",
        dependencies: [
            "PlacekeeperArchive", "PlacekeeperRuntime", "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService",
            "PlacekeeperMemoryStore",
            "PlacekeeperConcurrency", "PlacekeeperTestSupport",
        ],
        path: "Benchmarks/Lists", swiftSettings: strict),
    // A sample of this simulation.
    .testTarget(
        name: "ListSimulationTests", dependencies: ["placekeeper-bench-lists"], swiftSettings: strict),
    // Not a product either: what an upload costs by the number of devices.
    .executableTarget(
        name: "placekeeper-bench-uploads",
        dependencies: ["PlacekeeperCore", "PlacekeeperService", "PlacekeeperSQLite"],
        path: "Benchmarks/Uploads", swiftSettings: strict),
    // Not a product either: the client against the command, over sockets and with files on the disk.
    .executableTarget(
        name: "placekeeper-bench-client",
        dependencies: [
            "PlacekeeperClient", "PlacekeeperSocketTransport", "PlacekeeperRuntime", "PlacekeeperArchive",
            "PlacekeeperConcurrency", "PlacekeeperSockets",
            "PlacekeeperHTTP",
        ],
        path: "Benchmarks/Client", swiftSettings: strict),
    // Not a product either: how often a launch leads elsewhere than to the last work (docs/right-place.md).
    .executableTarget(
        name: "placekeeper-bench-places",
        dependencies: ["PlacekeeperTesting", "PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperArchive"],
        path: "Benchmarks/PlaceSimulation", swiftSettings: strict),
    .testTarget(
        name: "PlaceSimulationTests",
        dependencies: [
            "placekeeper-bench-places", "PlacekeeperTesting", "PlacekeeperClient", "PlacekeeperRuntime",
            "PlacekeeperArchive",
        ],
        swiftSettings: strict),
    // Not a product either: a phone and a pad in a terminal, each with the client and a sample app.
    .executableTarget(
        name: "placekeeper-demo",
        dependencies: [
            "PlacekeeperClient", "PlacekeeperSceneStorage", "PlacekeeperSocketTransport", "PlacekeeperRuntime",
            "PlacekeeperStandIns",
            "PlacekeeperSampleApps",
            "PlacekeeperConcurrency", "PlacekeeperSystem",
        ],
        swiftSettings: strict),
    .testTarget(name: "DemoTests", dependencies: ["placekeeper-demo"], swiftSettings: strict),
    // Not a product either: a release that crashes while it restores, for many devices in memory.
    .executableTarget(
        name: "placekeeper-bench-release",
        dependencies: [
            "PlacekeeperTesting", "PlacekeeperClient", "PlacekeeperRuntime", "PlacekeeperArchive", "PlacekeeperCore",
            "PlacekeeperService",
        ],
        path: "Benchmarks/ReleaseSimulation", swiftSettings: strict),
    .testTarget(
        name: "ReleaseSimulationTests", dependencies: ["placekeeper-bench-release"],
        swiftSettings: strict),
    // Two programs whose sizes differ by the client's size.
    .executableTarget(
        name: "placekeeper-size-with-client", dependencies: ["PlacekeeperKit"],
        path: "Benchmarks/ClientSize/With", swiftSettings: strict),
    .executableTarget(
        name: "placekeeper-size-without-client", path: "Benchmarks/ClientSize/Without", swiftSettings: strict),
    tests(of: "PlacekeeperSockets", ["PlacekeeperHTTP", "PlacekeeperSystem"] + linux),
    // What every transport of the client must do, and hostile servers.
    .testTarget(
        name: "TransportTests",
        dependencies: [
            "PlacekeeperSocketTransport", "PlacekeeperClient", "PlacekeeperTesting", "PlacekeeperAPI",
            "PlacekeeperSockets",
            "PlacekeeperConcurrency", "PlacekeeperArchive", "PlacekeeperCompression", "PlacekeeperSystem",
        ],
        swiftSettings: strict),
    // The sample apps on two devices, each with a client of the service.
    .testTarget(
        name: "ClientJourneyTests",
        dependencies: [
            "PlacekeeperKit", "PlacekeeperSceneStorage", "PlacekeeperClient", "PlacekeeperTesting",
            "PlacekeeperSocketTransport", "PlacekeeperSockets",
            "PlacekeeperRuntime",
            "PlacekeeperStandIns", "PlacekeeperArchive", "PlacekeeperSampleApps", "PlacekeeperTestSupport",
        ],
        swiftSettings: strict),
    tests(of: "PlacekeeperFiles", ["PlacekeeperSystem"]),
    tests(of: "PlacekeeperCompression"),
    tests(of: "PlacekeeperCryptography", ["PlacekeeperTestSupport"]),
    tests(of: "PlacekeeperTokens", ["PlacekeeperCryptography", "PlacekeeperTestSupport"]),
    tests(
        of: "PlacekeeperSQLite",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperMemoryStore",
            "PlacekeeperConcurrency", "PlacekeeperStoreConformance",
            "PlacekeeperTestSupport", "PlacekeeperArchive",
            "CPlacekeeperSQLite", "PlacekeeperCompression", "PlacekeeperFiles",
        ], excluding: ["Databases"]),
    // A PostgreSQL server for tests.
    testLibrary("PlacekeeperPostgresServer", ["PlacekeeperPostgres", "PlacekeeperCore", "PlacekeeperService"]),
    tests(
        of: "PlacekeeperPostgres",
        [
            "PlacekeeperCore", "PlacekeeperService", "PlacekeeperMemoryStore", "PlacekeeperConcurrency",
            "PlacekeeperStoreConformance",
            "PlacekeeperTestSupport", "PlacekeeperPostgresServer", "PlacekeeperSystem",
        ]),
    // Moves of all data between the stores.
    .testTarget(
        name: "TransferTests",
        dependencies: [
            "PlacekeeperSQLite", "PlacekeeperPostgres", "PlacekeeperPostgresServer", "PlacekeeperCore",
            "PlacekeeperService",
            "PlacekeeperStoreConformance", "PlacekeeperTestSupport",
            "CPlacekeeperSQLite", "PlacekeeperCryptography",
        ],
        swiftSettings: strict),
    tests(
        of: "PlacekeeperServer",
        [
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService", "PlacekeeperMemoryStore",
            "PlacekeeperTestSupport", "PlacekeeperConcurrency",
            "PlacekeeperAPI", "PlacekeeperHTTP",
            "PlacekeeperArchive", "PlacekeeperCryptography", "PlacekeeperCompression", "PlacekeeperJSON",
            "PlacekeeperSystem",
        ]),
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "placekeeper", "PlacekeeperArchive", "PlacekeeperAPI", "PlacekeeperServer", "PlacekeeperCore",
            "PlacekeeperService",
            "PlacekeeperSockets",
            "PlacekeeperTokens", "PlacekeeperCryptography", "PlacekeeperCompression", "PlacekeeperSystem",
            "PlacekeeperPostgres", "PlacekeeperSQLite",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "placekeeper", "PlacekeeperServer", "PlacekeeperSockets", "PlacekeeperHTTP", "PlacekeeperSQLite",
            "PlacekeeperCore", "PlacekeeperMatching", "PlacekeeperService",
            "PlacekeeperConcurrency", "PlacekeeperAPI", "PlacekeeperArchive", "PlacekeeperCryptography",
            "PlacekeeperCompression", "CPlacekeeperSQLite", "PlacekeeperSystem",
            "PlacekeeperTestSupport", "PlacekeeperPostgresServer", "PlacekeeperPostgres", "PlacekeeperMemoryStore",
            "PlacekeeperTokens",
        ],
        swiftSettings: strict),
]

#if os(Linux)
    let targets =
        hasDoubleOfUIKit
        ? portable.filter { $0.type != .test } + withDoubleOfUIKit : hasServer ? portable + server : portable
#else
    /// The targets that call the C library of Linux, or read /proc.
    let linuxTargets: Set = [
        "CPlacekeeperLinux", "CPlacekeeperCrypto", "PlacekeeperSQLiteTests", "placekeeper-bench-identity",
        "placekeeper-bench-uploads",
        "placekeeper-bench-client",
    ]
    let macServer = hasServer ? server.filter { !linuxTargets.contains($0.name) } : []
    // The server needs macOS 26. The package's minimum is that of the client, so these targets alone are not checked
    // for availability (docs/decisions/0079-a-mac-for-development.md).
    for target in macServer where target.type != .system && target.type != .plugin {
        target.swiftSettings = strict + [.unsafeFlags(["-Xfrontend", "-disable-availability-checking"])]
    }
    let targets = portable + macServer
#endif
let serverProducts: [Product] = hasServer ? [.executable(name: "placekeeper", targets: ["placekeeper"])] : []

let package = Package(
    name: "placekeeper",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "PlacekeeperKit", targets: ["PlacekeeperKit"]),
        .library(name: "PlacekeeperUIKit", targets: ["PlacekeeperUIKit"]),
        .library(name: "PlacekeeperTesting", targets: ["PlacekeeperTesting"]),
    ] + serverProducts + productsForTests,
    targets: targets
)
