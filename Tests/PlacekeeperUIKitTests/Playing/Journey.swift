import Foundation
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import UIKit

/// Where an app is left, and where it comes back.
enum Journey: CaseIterable {
    /// The same phone, which keeps the state in a folder.
    case folder
    /// The same phone, with the service.
    case service
    case phoneToPad
    case padToPhone

    /// Whether both ends have screens of the same size.
    var isAlike: Bool { self == .folder || self == .service }
    /// Whether both ends are one device.
    var isOneDevice: Bool { isAlike }
}

/// The devices at both ends of a journey.
@MainActor
struct Devices {
    let first: Device
    let second: Device

    init(_ journey: Journey) async throws {
        guard journey != .folder else {
            first = Device(.phone)
            second = first
            return
        }
        let service = try await TestService()
        try await service.setAcceptedIdioms([.phone], on: .pad)
        try await service.setAcceptedIdioms([.pad], on: .phone)
        let phone = Device(.phone, service)
        switch journey {
        case .folder, .service: (first, second) = (phone, phone)
        case .phoneToPad: (first, second) = (phone, try await Device(.pad, service, linkedTo: phone))
        case .padToPhone:
            let pad = Device(.pad, service)
            (first, second) = (pad, try await Device(.phone, service, linkedTo: pad))
        }
    }

    /// Two phones of one person.
    static func twoPhones() async throws -> (Device, Device) {
        let service = try await TestService()
        let first = Device(.phone, service)
        return (first, try await Device(.phone, service, linkedTo: first))
    }
}

/// A device that launches an app again and again.
@MainActor
final class Device {
    let idiom: UIUserInterfaceIdiom
    /// The device on the service. Nil if the device keeps the state in a folder.
    let virtual: VirtualDevice?
    let folder: URL
    /// The version of the app, on a device that keeps the state in a folder.
    var bundleVersion = "3"
    /// What the system keeps of each window's session, by the session's identifier.
    var sessions: [String: [String: Any]] = [:]

    /// A device without a service.
    init(_ idiom: UIUserInterfaceIdiom) {
        (self.idiom, virtual) = (idiom, nil)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("uikit-" + UUID().uuidString)
    }

    /// A device with the service.
    init(_ idiom: UIUserInterfaceIdiom, _ service: TestService) {
        self.idiom = idiom
        virtual = service.device(idiom == .pad ? .pad : .phone, bundleVersion: "3")
        folder = FileManager.default.temporaryDirectory
    }

    /// A device of the same person as another one.
    convenience init(_ idiom: UIUserInterfaceIdiom, _ service: TestService, linkedTo other: Device) async throws {
        self.init(idiom, service)
        if let mine = virtual, let other = other.virtual {
            try await mine.placekeeper.link(other.placekeeper.linkCode().code)
        }
    }

    deinit {
        if virtual == nil { try? FileManager.default.removeItem(at: folder) }
    }
}
