/// A device that asks to be registered.
package struct Registration: Sendable {
    /// `pk_…`
    package var publishableKey: String
    package var idiom: Idiom
    package var model: String?
    package var name: String?
    package var linkCode: String?
    /// Where the request comes from, such as a peer's address: what wrong link codes are throttled by.
    package var source: String

    package init(
        publishableKey: String, idiom: Idiom, model: String? = nil, name: String? = nil, linkCode: String? = nil,
        source: String = ""
    ) {
        self.publishableKey = publishableKey
        self.idiom = idiom
        self.model = model
        self.name = name
        self.linkCode = linkCode
        self.source = source
    }
}

package struct Registered: Sendable {
    package var device: Device
    /// The bearer token, shown this once.
    package var token: String
}
