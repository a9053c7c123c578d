// swift-tools-version:6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], excluding: [String] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: excluding, resources: resources, swiftSettings: strict)
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

#if os(Linux)
    /// The folders that this system leaves out of `CLibrary`, `HTTPTransport` and `Cryptography`.
    let (foreignLibrary, foreignPollers, foreignCryptography): ([String], [String], [String]) =
        (["Darwin"], [], ["Darwin"])
    /// The libraries that only Linux uses.
    let (linux, libcrypto): ([Target.Dependency], [Target.Dependency]) = (["CLinux"], ["CCrypto"])
#else
    let (foreignLibrary, foreignPollers, foreignCryptography): ([String], [String], [String]) =
        (["Linux"], ["Linux"], ["Libcrypto"])
    let (linux, libcrypto): ([Target.Dependency], [Target.Dependency]) = ([], [])
#endif

/// What runs on clients as well as on servers: no C library, the client's minimum systems.
let portable: [Target] = [
    library("KeyedArchive"),
    library("StateRestoration", ["KeyedArchive"]),
    // View controllers and views of no platform: for tests, and for apps without UIKit.
    library("RestorationInterface", ["StateRestoration", "KeyedArchive"]),
    library("PlacekeeperAPI"),
    // The SDK of an app: saves, sends, launches and offers, without a user interface framework.
    // The resource is the privacy manifest for the App Store (docs/privacy.md).
    library(
        "PlacekeeperClient", ["StateRestoration", "KeyedArchive", "Concurrency"],
        resources: [.copy("PrivacyInfo.xcprivacy")]),
    // The adapters for SwiftUI, UIKit and AppKit, and their portable parts. Other systems build the portable parts.
    library("PlacekeeperUI", ["PlacekeeperClient", "StateRestoration", "KeyedArchive"]),
    // Threads for work that blocks, fair queues and locks: nothing of this project's field.
    library("Concurrency"),
    library("RestorationService", ["KeyedArchive", "Concurrency"]),
    // Keeps everything in memory: what other stores are compared with, and what tests use.
    library("MemoryStore", ["RestorationService"]),
    library("HTTPCodec"),
    library("CheckedJSON", ["KeyedArchive"]),
    // The REST layer without sockets. The command's targets add the sockets.
    library(
        "PlacekeeperServer",
        ["KeyedArchive", "RestorationService", "PlacekeeperAPI", "HTTPCodec", "CheckedJSON", "Concurrency"]),
    // An app's own tests: the service in memory, virtual devices, and faults.
    library(
        "PlacekeeperTesting",
        [
            "PlacekeeperClient", "StateRestoration", "RestorationService", "MemoryStore", "PlacekeeperServer",
            "HTTPCodec", "Concurrency",
        ]),
    // Doubles of the service's dependencies, and public test data, for the tests of several targets.
    testLibrary("TestSupport", ["RestorationService", "MemoryStore", "Concurrency"]),
    // What every store must do.
    testLibrary("StoreConformance", ["RestorationService", "TestSupport", "Concurrency", "KeyedArchive"]),
    // Apps that the runtime's tests play, and that show how it is used.
    testLibrary("SampleApps", ["RestorationInterface", "StateRestoration", "KeyedArchive"]),
    tests(of: "KeyedArchive", ["TestSupport"]),
    tests(of: "StateRestoration", ["RestorationInterface", "KeyedArchive", "SampleApps"]),
    // The sample apps on two devices, with the service between them.
    .testTarget(
        name: "IdentityTests",
        dependencies: [
            "StateRestoration", "RestorationInterface", "KeyedArchive", "SampleApps", "RestorationService",
            "MemoryStore", "Concurrency", "StoreConformance", "TestSupport",
        ],
        swiftSettings: strict),
    tests(of: "PlacekeeperAPI"),
    tests(of: "Concurrency"),
    tests(
        of: "RestorationService",
        ["StoreConformance", "TestSupport", "MemoryStore", "Concurrency", "KeyedArchive"]),
    tests(of: "MemoryStore", ["RestorationService", "StoreConformance", "TestSupport"]),
    tests(of: "HTTPCodec", ["TestSupport"]),
    tests(of: "CheckedJSON"),
    tests(of: "PlacekeeperUI", ["PlacekeeperTesting", "PlacekeeperClient", "StateRestoration", "KeyedArchive"]),
    // The recipes of docs/recipes.md, each between two virtual devices.
    .testTarget(
        name: "RecipeTests",
        dependencies: ["PlacekeeperUI", "PlacekeeperTesting", "PlacekeeperClient", "StateRestoration", "KeyedArchive"],
        path: "Tests/Recipes", exclude: ["Checks/Routes.json"], swiftSettings: strict),
    // Uses the public interface alone, as an app's own tests do.
    tests(of: "PlacekeeperTesting", ["PlacekeeperClient", "StateRestoration", "KeyedArchive"]),
]

/// The server and its command: for Linux, and for development on macOS (docs/decisions/0079-a-mac-for-development.md).
let server: [Target] = [
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CCrypto"),
    .systemLibrary(name: "CLinux"),
    // The C library of the system, and the differences between the systems.
    library("CLibrary", linux, excluding: foreignLibrary),
    // Looks at a path before a file is opened, replaced or deleted.
    library("RegularFiles", ["CLibrary"]),
    library("HTTPTransport", ["HTTPCodec", "CLibrary"] + linux, excluding: foreignPollers),
    // The client's transport on sockets: for the demo and for tests. Apps use URLSession.
    library("SocketTransport", ["PlacekeeperClient", "HTTPCodec", "CLibrary"]),
    library("Compression", ["CZlib"]),
    library("Cryptography", ["CLibrary"] + libcrypto, excluding: foreignCryptography),
    // Most of its time is in SQLite, so optimizing for size costs nothing that can be measured.
    .target(
        name: "SQLiteStore",
        dependencies: ["RestorationService", "CheckedJSON", "CSQLite", "CLibrary", "RegularFiles", "Concurrency"],
        swiftSettings: strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]),
    // PostgreSQL's client library is loaded when it is needed, so the build needs no header of it.
    library(
        "PostgresStore",
        ["RestorationService", "CheckedJSON", "MemoryStore", "CLibrary", "Concurrency", "RegularFiles"]),
    library("JSONWebToken", ["CheckedJSON", "Cryptography"]),
    tests(
        of: "PlacekeeperClient",
        [
            "PlacekeeperTesting", "StateRestoration", "KeyedArchive", "PlacekeeperAPI", "Concurrency", "Cryptography",
            "SocketTransport", "HTTPTransport", "HTTPCodec", "SQLiteStore", "RestorationService", "PlacekeeperServer",
        ]),
    .executableTarget(
        name: "placekeeper",
        dependencies: [
            "KeyedArchive", "RestorationService", "HTTPTransport", "Compression", "Cryptography", "SQLiteStore",
            .target(name: "PostgresStore", condition: .when(traits: ["PostgreSQL"])), "PlacekeeperAPI",
            "PlacekeeperServer", "JSONWebToken", "CLibrary", "RegularFiles",
        ],
        // The commands run once, so their size counts more than their speed.
        swiftSettings: strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))], plugins: ["EmbedPages"]),
    // Makes the pages a part of the command, compressed.
    .plugin(
        name: "EmbedPages", capability: .buildTool(), dependencies: ["page-compressor"], path: "Sources/EmbedPages"),
    .executableTarget(name: "page-compressor", swiftSettings: strict),
    // Not a product. It measures beside Foundation, which no target of the server imports.
    .executableTarget(
        name: "placekeeper-bench",
        dependencies: ["KeyedArchive", "StateRestoration", "RestorationInterface", "RestorationService"],
        path: "Benchmarks/Micro", swiftSettings: strict),
    // Not a product either: identity across devices on a real database.
    .executableTarget(
        name: "placekeeper-bench-identity", dependencies: ["RestorationService", "SQLiteStore", "Cryptography"],
        path: "Benchmarks/Identity", swiftSettings: strict),
    // Not a product either: how often list items land right on another device.
    .executableTarget(
        name: "placekeeper-bench-lists",
        dependencies: [
            "KeyedArchive", "StateRestoration", "RestorationService", "MemoryStore", "Concurrency", "TestSupport",
        ],
        path: "Benchmarks/Lists", swiftSettings: strict),
    // A sample of this simulation.
    .testTarget(
        name: "ListSimulationTests", dependencies: ["placekeeper-bench-lists"], swiftSettings: strict),
    // Not a product either: what an upload costs by the number of devices.
    .executableTarget(
        name: "placekeeper-bench-uploads", dependencies: ["RestorationService", "SQLiteStore"],
        path: "Benchmarks/Uploads", swiftSettings: strict),
    // Not a product either: the client against the command, over sockets and with files on the disk.
    .executableTarget(
        name: "placekeeper-bench-client",
        dependencies: [
            "PlacekeeperClient", "SocketTransport", "StateRestoration", "KeyedArchive", "Concurrency", "HTTPTransport",
            "HTTPCodec",
        ],
        path: "Benchmarks/Client", swiftSettings: strict),
    // Not a product either: how often a launch leads elsewhere than to the last work (docs/right-place.md).
    .executableTarget(
        name: "placekeeper-bench-places",
        dependencies: ["PlacekeeperTesting", "PlacekeeperClient", "StateRestoration", "KeyedArchive"],
        path: "Benchmarks/PlaceSimulation", swiftSettings: strict),
    .testTarget(
        name: "PlaceSimulationTests",
        dependencies: [
            "placekeeper-bench-places", "PlacekeeperTesting", "PlacekeeperClient", "StateRestoration", "KeyedArchive",
        ],
        swiftSettings: strict),
    // Not a product either: a phone and a pad in a terminal, each with the client and a sample app.
    .executableTarget(
        name: "placekeeper-demo",
        dependencies: [
            "PlacekeeperClient", "SocketTransport", "StateRestoration", "RestorationInterface", "SampleApps",
            "Concurrency", "CLibrary",
        ],
        swiftSettings: strict),
    .testTarget(name: "DemoTests", dependencies: ["placekeeper-demo"], swiftSettings: strict),
    // Not a product either: a release that crashes while it restores, for many devices in memory.
    .executableTarget(
        name: "placekeeper-bench-release",
        dependencies: [
            "PlacekeeperTesting", "PlacekeeperClient", "StateRestoration", "KeyedArchive", "RestorationService",
        ],
        path: "Benchmarks/ReleaseSimulation", swiftSettings: strict),
    .testTarget(
        name: "ReleaseSimulationTests", dependencies: ["placekeeper-bench-release"],
        swiftSettings: strict),
    // Two programs whose sizes differ by the client's size.
    .executableTarget(
        name: "placekeeper-size-with-client", dependencies: ["PlacekeeperClient", "KeyedArchive"],
        path: "Benchmarks/ClientSize/With", swiftSettings: strict),
    .executableTarget(
        name: "placekeeper-size-without-client", path: "Benchmarks/ClientSize/Without", swiftSettings: strict),
    tests(of: "HTTPTransport", ["HTTPCodec", "CLibrary"] + linux),
    // What every transport of the client must do, and hostile servers.
    .testTarget(
        name: "TransportTests",
        dependencies: [
            "SocketTransport", "PlacekeeperClient", "PlacekeeperTesting", "PlacekeeperAPI", "HTTPTransport",
            "Concurrency", "KeyedArchive", "Compression", "CLibrary",
        ],
        swiftSettings: strict),
    // The sample apps on two devices, each with a client of the service.
    .testTarget(
        name: "ClientJourneyTests",
        dependencies: [
            "PlacekeeperClient", "PlacekeeperTesting", "SocketTransport", "HTTPTransport", "StateRestoration",
            "RestorationInterface", "KeyedArchive", "SampleApps",
        ],
        swiftSettings: strict),
    tests(of: "RegularFiles", ["CLibrary"]),
    tests(of: "Compression"),
    tests(of: "Cryptography", ["TestSupport"]),
    tests(of: "JSONWebToken", ["Cryptography", "TestSupport"]),
    tests(
        of: "SQLiteStore",
        [
            "RestorationService", "MemoryStore", "Concurrency", "StoreConformance", "TestSupport", "KeyedArchive",
            "CSQLite", "Compression", "RegularFiles",
        ], excluding: ["Databases"]),
    // A PostgreSQL server for tests.
    testLibrary("PostgresServer", ["PostgresStore", "RestorationService"]),
    tests(
        of: "PostgresStore",
        ["RestorationService", "MemoryStore", "Concurrency", "StoreConformance", "TestSupport", "PostgresServer"]),
    // Moves of all data between the stores.
    .testTarget(
        name: "TransferTests",
        dependencies: [
            "SQLiteStore", "PostgresStore", "PostgresServer", "RestorationService", "StoreConformance", "TestSupport",
            "CSQLite",
            "Cryptography",
        ],
        swiftSettings: strict),
    tests(
        of: "PlacekeeperServer",
        [
            "RestorationService", "MemoryStore", "TestSupport", "Concurrency", "PlacekeeperAPI", "HTTPCodec",
            "KeyedArchive", "Cryptography", "Compression", "CheckedJSON", "CLibrary",
        ]),
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "placekeeper", "KeyedArchive", "PlacekeeperAPI", "PlacekeeperServer", "RestorationService", "HTTPTransport",
            "JSONWebToken", "Cryptography", "Compression", "CLibrary",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "placekeeper", "PlacekeeperServer", "HTTPTransport", "HTTPCodec", "SQLiteStore", "RestorationService",
            "Concurrency", "PlacekeeperAPI", "KeyedArchive", "Cryptography", "Compression", "CSQLite", "CLibrary",
            "TestSupport", "PostgresServer", "PostgresStore", "MemoryStore", "JSONWebToken",
        ],
        swiftSettings: strict),
]

#if os(Linux)
    let targets = portable + server
    let serverProducts: [Product] = [.executable(name: "placekeeper", targets: ["placekeeper"])]
#else
    /// The targets that call the C library of Linux, or read /proc.
    let linuxTargets: Set = [
        "CLinux", "CCrypto", "SQLiteStoreTests", "placekeeper-bench-identity", "placekeeper-bench-uploads",
        "placekeeper-bench-client",
    ]
    /// `PLACEKEEPER_TARGETS=portable` leaves the server out, for a build of all targets for iOS.
    let hasServer = Context.environment["PLACEKEEPER_TARGETS"] != "portable"
    let macServer = hasServer ? server.filter { !linuxTargets.contains($0.name) } : []
    // The server needs macOS 26. The package's minimum is that of the client, so these targets alone are not checked
    // for availability (docs/decisions/0079-a-mac-for-development.md).
    for target in macServer where target.type != .system && target.type != .plugin {
        target.swiftSettings = strict + [.unsafeFlags(["-Xfrontend", "-disable-availability-checking"])]
    }
    let targets = portable + macServer
    let serverProducts: [Product] = hasServer ? [.executable(name: "placekeeper", targets: ["placekeeper"])] : []
#endif

let package = Package(
    name: "placekeeper",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "StateRestoration", targets: ["StateRestoration"]),
        .library(name: "RestorationInterface", targets: ["RestorationInterface"]),
        .library(name: "PlacekeeperClient", targets: ["PlacekeeperClient"]),
        .library(name: "PlacekeeperUI", targets: ["PlacekeeperUI"]),
        .library(name: "PlacekeeperTesting", targets: ["PlacekeeperTesting"]),
    ] + serverProducts,
    traits: [
        // `make build` leaves it out, so the program of most users does not grow by it.
        .trait(name: "PostgreSQL", description: "Several instances of the service over PostgreSQL"),
        .default(enabledTraits: ["PostgreSQL"]),
    ],
    targets: targets
)
