import Foundation
import PackagePlugin

/// Makes the compressed files of the folder `Public` and of `openapi.yaml` a part of the command.
@main
struct PlacekeeperEmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let output = context.pluginWorkDirectoryURL.appending(path: "CompressedFiles.swift")
        let folder = root.appending(path: "Public")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { name in
            !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        let files = names.map { folder.appending(path: $0) }.filter { file in
            (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
        let inputs = files + [root.appending(path: "openapi.yaml")]
        return [
            .buildCommand(
                displayName: "Compressing the pages",
                executable: try context.tool(named: "placekeeper-page-compressor").url,
                arguments: [output.path, root.path] + inputs.map(\.path), inputFiles: inputs, outputFiles: [output])
        ]
    }
}
