package import Foundation

/// The client's folder. Each pair of service address and app key has its own.
///
/// If the service moved, the folder of the earlier address gets the name for the new address. A mark in the folder
/// remains until the service at the new address has confirmed that it knows this device.
package struct ClientFolder: Sendable {
    /// A folder in use by a client.
    package struct Opened {
        package var files: any FileSystem
        /// Whether the folder still has the name for an earlier address.
        package var isFormer = false
        /// Whether the device has an account for the same key at another address.
        package var hasOtherAddress = false

        package init(files: any FileSystem) { self.files = files }
    }

    /// The mark's file name.
    static let mark = "moved"

    private let base: URL
    private let name: String
    /// The folder names for the earlier addresses.
    private let former: [String]
    private let key: String
    private let isExtension: Bool

    package init(of server: URL, _ key: String, _ configuration: Placekeeper.Configuration) {
        base =
            configuration.folder
            ?? (FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSTemporaryDirectory())).appendingPathComponent("Placekeeper")
        name = Self.name(server.host?.lowercased(), server.port, key)
        // Version 0.1 used a separate folder for a host in capital letters, although it is the same host.
        former = ([server] + configuration.formerServers).flatMap { former in
            [former.host?.lowercased(), former.host].map { Self.name($0, former.port, key) }
        }
        self.key = Self.safe(key)
        isExtension = configuration.isExtension
    }

    /// Opens the folder. Renames the folder of an earlier address first, if this address has no account yet. In an
    /// extension, or if the rename fails, uses that folder under its earlier name.
    package func open() -> Opened {
        let files = DiskFileSystem(root: base)
        let used = folder(files)
        var opened = Opened(files: DiskFileSystem(root: base.appendingPathComponent(used)))
        opened.isFormer = used != name
        let others = (try? files.names(in: "")) ?? []
        opened.hasOtherAddress = others.prefix(256).contains {
            $0 != used && $0.hasSuffix("-" + key) && hasAccount($0, files)
        }
        return opened
    }

    private func folder(_ files: DiskFileSystem) -> String {
        guard !hasAccount(name, files), let old = former.first(where: { $0 != name && hasAccount($0, files) }) else {
            return name
        }
        guard !isExtension else { return old }
        do throws(FileError) {
            try files.write([], to: "\(old)/\(Self.mark)")
            try moveStates(to: old, files)
            try files.remove(name)
            return try files.rename(old, to: name) ? name : old
        } catch {
            return old
        }
    }

    /// Moves the states that an extension saved under the new name before the app was started.
    private func moveStates(to old: String, _ files: DiskFileSystem) throws(FileError) {
        for device in try files.names(in: name + "/devices") where device != "new" {
            _ = try files.rename("\(name)/devices/\(device)", to: "\(old)/devices/\(device)")
        }
        for scene in try files.names(in: name + "/devices/new/scenes") {
            let path = "devices/new/scenes/" + scene
            for file in try files.names(in: "\(name)/\(path)") where FileName(file) != nil {
                _ = try files.rename("\(name)/\(path)/\(file)", to: "\(old)/\(path)/\(file)")
            }
        }
    }

    /// Whether a folder contains an account. File names are readable even while the device is locked.
    private func hasAccount(_ folder: String, _ files: DiskFileSystem) -> Bool {
        (try? files.names(in: folder))?.contains("account") ?? false
    }

    private static func name(_ host: String?, _ port: Int?, _ key: String) -> String {
        String(safe("\(host ?? "server")-\(port ?? 443)-\(key)").prefix(120))
    }

    private static func safe(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_")
                ? String(scalar) : "-"
        }.joined()
    }
}
