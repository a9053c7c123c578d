import Foundation
package import PlacekeeperModels

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension RestorationContext {
    /// The idiom of this device, the app's bundle version and the system version, without a layout.
    ///
    /// The idiom is UIKit's: an iPhone app has the idiom `phone` even on an iPad, and an iPad app on a Mac has the
    /// idiom `pad`, unless Catalyst optimizes its interface for the Mac. A watch has the idiom `watch`, and a Linux
    /// computer `mac`. On Apple's systems, these values have not been verified on a device.
    package static var ofThisDevice: RestorationContext {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        return RestorationContext(
            idiom: DeviceFacts.ofThisProcess.idiom,
            bundleVersion: Bundle.main.infoDictionary?["CFBundleVersion"] as? String,
            systemVersion: "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)")
    }

    /// The model of this device, such as `iPhone16,1` or `Mac14,2`. In a simulator, the simulated model. On Linux, the
    /// processor architecture.
    static var modelOfThisDevice: String? { DeviceFacts.ofThisProcess.model }
}

/// What a process can find out about its device without a user interface framework.
struct DeviceFacts: Sendable, Equatable {
    /// The system for which the app was built.
    enum System: Sendable, Equatable {
        case iOS, catalyst, macOS, tvOS, watchOS, visionOS, linux
    }

    var system: System
    /// Whether this is an iOS app that runs on a Mac.
    var isiOSAppOnMac = false
    /// `hw.machine`: the model of an iPhone, iPad or similar device, or the processor of a Mac.
    var machine: String?
    /// `hw.model`: the model of a Mac, or the board of an iPhone, iPad or similar device.
    var hardware: String?
    /// `UIDeviceFamily` from Info.plist, which Xcode writes: 1 for iPhone, 2 for iPad, 6 for Mac.
    var families: [Int] = []

    /// The device's model.
    var model: String? {
        let isMac = isiOSAppOnMac || system == .macOS || system == .catalyst
        return isMac ? hardware ?? machine : machine
    }

    /// `UIDevice.userInterfaceIdiom`, or the idiom of a Mac or a watch.
    var idiom: UserInterfaceIdiom {
        switch system {
        case .tvOS: return .tv
        case .watchOS: return .watch
        case .visionOS: return .vision
        case .macOS, .linux: return .mac
        case .catalyst: return families.contains(6) ? .mac : .pad
        case .iOS:
            let isPhone = ["iPhone", "iPod"].contains { machine?.hasPrefix($0) == true }
            let isPad = machine?.hasPrefix("iPad") == true
            // Without `UIDeviceFamily`, as in a test, `machine` decides.
            return !isPhone && (families.isEmpty ? isPad : families.contains(2)) ? .pad : .phone
        }
    }
}

extension DeviceFacts {
    static var ofThisProcess: DeviceFacts {
        var facts = DeviceFacts(system: systemOfThisProcess)
        #if canImport(Darwin)
            facts.machine = value(of: "hw.machine")
            facts.hardware = value(of: "hw.model")
            facts.isiOSAppOnMac = ProcessInfo.processInfo.isiOSAppOnMac
            facts.families = Bundle.main.infoDictionary?["UIDeviceFamily"] as? [Int] ?? []
        #else
            facts.machine = machineName
        #endif
        #if targetEnvironment(simulator)
            if let model = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { facts.machine = model }
        #endif
        return facts
    }

    private static var systemOfThisProcess: System {
        #if targetEnvironment(macCatalyst)
            return .catalyst
        #elseif os(iOS)
            return .iOS
        #elseif os(tvOS)
            return .tvOS
        #elseif os(watchOS)
            return .watchOS
        #elseif os(visionOS)
            return .visionOS
        #elseif os(macOS)
            return .macOS
        #else
            return .linux
        #endif
    }

    #if canImport(Darwin)
        /// Reads a string from the kernel.
        private static func value(of name: String) -> String? {
            var bytes = [UInt8](repeating: 0, count: 128)
            var count = bytes.count
            guard sysctlbyname(name, &bytes, &count, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    #else
        private static var machineName: String? {
            var name = utsname()
            guard uname(&name) == 0 else { return nil }
            return withUnsafeBytes(of: &name.machine) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    #endif
}
