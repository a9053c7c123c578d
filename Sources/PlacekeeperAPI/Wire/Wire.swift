/// The bodies that go over the wire, as `openapi.yaml` describes them.
package enum Wire {
    /// An idiom's name.
    package enum Idiom: String, WireChoice {
        case unspecified, phone, pad, tv, carPlay, mac, vision
    }

    /// A screen's layout: its horizontal size class.
    package enum Layout: String, WireChoice {
        case compact, regular
    }

    /// How much of an archive may be restored.
    package enum Fidelity: String, WireChoice {
        case full, place, none
    }

    /// What a device is and runs, or what an archive was made on.
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

    /// A piece of a list, and the cursor that the next piece is asked for with.
    package struct Page<Item: Sendable & Codable>: Sendable, Codable {
        package var items: [Item]
        /// nil on the last page.
        package var next: String?

        package init(items: [Item], next: String? = nil) {
            self.items = items
            self.next = next
        }
    }
}

extension Wire.Page: Equatable where Item: Equatable {}
