import Photos

// recipe: Photos
@MainActor
struct SystemPhotos: PhotoNames {
    let assets: PHFetchResult<PHAsset>

    func identifier(at index: Int) -> String? {
        (0..<assets.count).contains(index) ? assets.object(at: index).localIdentifier : nil
    }

    func index(of identifier: String) -> Int? {
        let found = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
        guard let asset = found.firstObject else { return nil }
        let index = assets.index(of: asset)
        return index == NSNotFound ? nil : index
    }

    func cloudName(of identifier: String) -> String? {
        let names = PHPhotoLibrary.shared().cloudIdentifierMappings(forLocalIdentifiers: [identifier])
        return try? names[identifier]?.get().stringValue
    }

    func identifiers(withCloudName name: String) -> [String] {
        let cloud = PHCloudIdentifier(stringValue: name)
        // An error means that no asset, or several assets, have the cloud identifier.
        let found = PHPhotoLibrary.shared().localIdentifierMappings(for: [cloud])[cloud]
        return [try? found?.get()].compactMap { $0 }
    }
}
// end of recipe
