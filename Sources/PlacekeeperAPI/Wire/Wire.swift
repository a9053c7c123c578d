/// The JSON bodies of requests and responses, as `openapi.yaml` describes them.
package enum Wire {
    /// An idiom's name.
    package struct Idiom: WireWord {
        package static let unspecified = Self(rawValue: "unspecified")
        package static let phone = Self(rawValue: "phone")
        package static let pad = Self(rawValue: "pad")
        package static let tv = Self(rawValue: "tv")
        package static let carPlay = Self(rawValue: "carPlay")
        package static let watch = Self(rawValue: "watch")
        package static let mac = Self(rawValue: "mac")
        package static let vision = Self(rawValue: "vision")
        package static let known = [unspecified, phone, pad, tv, carPlay, watch, mac, vision]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The layout of a screen: its horizontal size class.
    package struct Layout: WireWord {
        package static let compact = Self(rawValue: "compact")
        package static let regular = Self(rawValue: "regular")
        package static let known = [compact, regular]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The part of an archive that may be restored.
    package struct Fidelity: WireWord {
        package static let full = Self(rawValue: "full")
        package static let place = Self(rawValue: "place")
        package static let none = Self(rawValue: "none")
        package static let known = [full, place, none]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The idiom, layout and versions of a requesting device, or of the source device at the time of capture.
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

    /// A page of a list.
    package struct Page<Item: Sendable & Codable>: Sendable, Codable {
        package var items: [Item]
        /// The cursor of the next page, or nil on the last page.
        package var next: String?

        package init(items: [Item], next: String? = nil) {
            self.items = items
            self.next = next
        }
    }
}

extension Wire.Page: Equatable where Item: Equatable {}
