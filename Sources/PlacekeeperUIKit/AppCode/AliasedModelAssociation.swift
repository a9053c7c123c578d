#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import PlacekeeperKit
    import PlacekeeperRuntime
    public import UIKit

    /// A data source whose elements have other identifiers on each device, such as the local identifiers of photos.
    ///
    /// Without this protocol, the list's name is the view's restoration identifier, and an element of another device is
    /// found by its identifier alone.
    @MainActor
    public protocol AliasedModelAssociation: UIDataSourceModelAssociation {
        /// The name of the list, the same on every device.
        var listName: String { get }
        /// Returns an element's aliases: evidence that is the same on every device, such as an address or a fingerprint. None if there is
        /// no such element.
        func aliases(forElementWithModelIdentifier identifier: String) -> [ItemAlias]
        /// Returns the identifiers of all elements that have an alias. Nil, the default, if only the rows of the view can be
        /// searched; `NSCoder.decodeModelIdentifier(of:forKey:)` finds nothing then.
        func modelIdentifiers(forElementsWith alias: ItemAlias) -> [String]?
    }

    extension AliasedModelAssociation {
        /// Returns nil.
        public func modelIdentifiers(forElementsWith alias: ItemAlias) -> [String]? { nil }
    }

    extension NSCoder {
        /// Saves the identifier of an element, such as the photo on screen, so that another device finds its own identifier of
        /// the same element. An identifier that is saved as a string is restored as it is.
        /// - Parameters:
        ///   - identifier: The identifier on this device.
        ///   - list: The list that contains the element.
        ///   - key: The key.
        @MainActor
        public func encode(
            modelIdentifier identifier: String?, of list: any AliasedModelAssociation, forKey key: String
        ) {
            guard let encoder = (self as? RestorationCoder)?.encoder else { return encode(identifier, forKey: key) }
            encoder.encode(elementWithModelIdentifier: identifier, of: ElementsByAlias(list), forKey: key)
        }

        /// Returns this device's identifier of the element that `encode(modelIdentifier:of:forKey:)` saved. Nil if none was
        /// saved, or if the list doesn't have the element.
        @MainActor
        public func decodeModelIdentifier(of list: any AliasedModelAssociation, forKey key: String) -> String? {
            guard let decoder = (self as? RestorationCoder)?.decoder else {
                return decodeObject(of: NSString.self, forKey: key) as String?
            }
            return decoder.decodeShownElement(of: ElementsByAlias(list), forKey: key)?.identifier
        }
    }

    /// The elements of a list, without a view that shows them.
    private final class ElementsByAlias: ModelAssociation {
        private let list: any AliasedModelAssociation

        init(_ list: any AliasedModelAssociation) { self.list = list }

        var dataSourceName: String { list.listName }
        var listElements: [ListElement] { [] }
        func containsElement(withModelIdentifier identifier: String) -> Bool {
            !modelAliases(forElementWithModelIdentifier: identifier).isEmpty
        }
        func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
            list.aliases(forElementWithModelIdentifier: identifier).map(\.text)
        }
        func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
            list.modelIdentifiers(forElementsWith: ItemAlias(text: alias)) ?? []
        }
    }
#endif
