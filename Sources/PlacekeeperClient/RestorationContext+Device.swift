import Foundation
public import PlacekeeperRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension RestorationContext {
    /// The idiom of this device by its model, the app's bundle version and the system's version. The layout is nil. A
    /// computer with Linux has the idiom `mac`. The values of Apple's systems have not been read on a device.
    public static var ofThisDevice: RestorationContext {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        return RestorationContext(
            idiom: idiomOfThisDevice, bundleVersion: Bundle.main.infoDictionary?["CFBundleVersion"] as? String,
            systemVersion: "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)")
    }

    private static var idiomOfThisDevice: UserInterfaceIdiom {
        #if os(tvOS)
            return .tv
        #elseif os(visionOS)
            return .vision
        #elseif os(iOS)
            return modelOfThisDevice?.hasPrefix("iPad") == true ? .pad : .phone
        #elseif os(watchOS)
            return .phone
        #else
            return .mac
        #endif
    }

    /// The model of this device, such as `iPhone16,1`. In a simulator, the simulated model. On Linux, the name of the
    /// processor's architecture.
    static var modelOfThisDevice: String? {
        #if targetEnvironment(simulator)
            if let model = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return model }
        #endif
        var name = utsname()
        guard uname(&name) == 0 else { return nil }
        return withUnsafeBytes(of: &name.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
