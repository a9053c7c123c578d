/// A device's request to be registered.
package struct Registration: Sendable {
    /// The app's publishable key, which begins with `pk_`.
    package var publishableKey: String
    package var idiom: Idiom
    package var model: String?
    package var name: String?
    package var linkCode: String?
    /// The source of the request, such as the peer's address. Wrong link codes are throttled by source.
    package var source: String
    /// Whether the app's limit of new users does not apply to the registration.
    package var isExempt = false

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

/// A registered device and its token.
package struct Registered: Sendable {
    package var device: Device
    /// The bearer token, which is shown only once.
    package var token: String
}
