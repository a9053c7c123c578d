// swift-format-ignore-file
// The public declarations of Photos that the recipes use. Written from Apple's public documentation. Bodies are empty: the
// module is only type-checked.

@_exported import Foundation

open class PHFetchOptions: NSObject {}
open class PHFetchResult<ObjectType: AnyObject>: NSObject {
    open var count: Int { 0 }
    open var firstObject: ObjectType? { nil }
    open func object(at index: Int) -> ObjectType { fatalError() }
    open func index(of object: ObjectType) -> Int { NSNotFound }
}
open class PHAsset: NSObject {
    open var localIdentifier: String { "" }
    open class func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> { fatalError() }
}
open class PHCloudIdentifier: NSObject {
    public init(stringValue: String) {}
    open var stringValue: String { "" }
}
open class PHPhotoLibrary: NSObject {
    open class func shared() -> PHPhotoLibrary { fatalError() }
    open func cloudIdentifierMappings(
        forLocalIdentifiers localIdentifiers: [String]
    ) -> [String: Result<PHCloudIdentifier, any Error>] { [:] }
    open func localIdentifierMappings(
        for cloudIdentifiers: [PHCloudIdentifier]
    ) -> [PHCloudIdentifier: Result<String, any Error>] { [:] }
}
