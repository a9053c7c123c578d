import Photos

// recipe: Photos
struct SystemPhotos: PhotoLibrary {
    func photo(_ identifier: String) -> Photo? {
        let assets = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
        guard assets.count == 1 else { return nil }
        let names = PHPhotoLibrary.shared().cloudIdentifierMappings(forLocalIdentifiers: [identifier])
        return Photo(placeID: identifier, cloudName: try? names[identifier]?.get().stringValue)
    }

    func identifiers(withCloudName name: String) -> [String] {
        let cloud = PHCloudIdentifier(stringValue: name)
        // An error means that no asset, or several assets, have the cloud identifier.
        let found = PHPhotoLibrary.shared().localIdentifierMappings(for: [cloud])[cloud]
        return [try? found?.get()].compactMap { $0 }
    }
}
// end of recipe
