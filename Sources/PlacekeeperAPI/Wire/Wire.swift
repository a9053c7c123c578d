/// The JSON bodies of requests and responses, as `openapi.yaml` describes them.
package enum Wire {
    /// An idiom's name.
    package enum Idiom: String, WireChoice {
        case unspecified, phone, pad, tv, carPlay, mac, vision
    }

    /// The layout of a screen: its horizontal size class.
    package enum Layout: String, WireChoice {
        case compact, regular
    }

    /// The part of an archive that may be restored.
    package enum Fidelity: String, WireChoice {
        case full, place, none
    }

    /// A device's idiom, layout and versions, or those that an archive was captured with.
    package struct Context: Sendable, Hashable, Codable {
        package var idiom: Idiom
        package var layout: Layout?
        package var bundleVersion: String?
        package var systemVersion: String?
        package var stateVersion: Int64?

        package init(
            idiom: Idiom, layout: Layout? = nil, bundleVersion: String? = nil, systemVersion: String? = nil,
            stateVersion: Int64? = nil
        ) {
            self.idiom = idiom
            self.layout = layout
            self.bundleVersion = bundleVersion
            self.systemVersion = systemVersion
            self.stateVersion = stateVersion
        }
    }

    /// A page of a list, with the cursor of the next page.
    package struct Page<Item: Sendable & Codable>: Sendable, Codable {
        package var items: [Item]
        /// The cursor of the next page. Nil on the last page.
        package var next: String?

        package init(items: [Item], next: String? = nil) {
            self.items = items
            self.next = next
        }
    }
}

extension Wire.Page: Equatable where Item: Equatable {}
