extension Wire {
    /// The body of `POST /v1/devices`.
    package struct Registration: Sendable, Hashable, Codable {
        /// The app's publishable key, `pk_…`.
        package var app: String
        package var idiom: Idiom
        /// The device model, such as `iPhone16,1`.
        package var model: String?
        package var name: String?
        /// A link code. If the code is present, the service adds the device to the user of the link code.
        package var linkCode: String?

        package init(app: String, idiom: Idiom, model: String? = nil, name: String? = nil, linkCode: String? = nil) {
            self.app = app
            self.idiom = idiom
            self.model = model
            self.name = name
            self.linkCode = linkCode
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            app = try members.decode(String.self, forKey: .app)
            idiom = try members.decode(Idiom.self, forKey: .idiom)
            model = try members.optional(.model)
            name = try members.optional(.name)
            linkCode = try members.optional(.linkCode)
        }
    }

    /// The response to `POST /v1/devices`.
    package struct Registered: Sendable, Hashable, Codable {
        /// The device's id.
        package var device: String
        /// The bearer token. The service sends the token only in this response.
        package var token: String
        /// The id of the device's user.
        package var user: String

        package init(device: String, token: String, user: String) {
            self.device = device
            self.token = token
            self.user = user
        }
    }

    package struct Device: Sendable, Hashable, Codable {
        package var id: String
        package var user: String
        package var idiom: Idiom
        package var model: String?
        package var name: String?
        package var createdAt: Time
        package var lastSeenAt: Time
        /// Whether this is the requesting device.
        package var isSelf: Bool

        package init(
            id: String, user: String, idiom: Idiom, model: String?, name: String?, createdAt: Time, lastSeenAt: Time,
            isSelf: Bool
        ) {
            self.id = id
            self.user = user
            self.idiom = idiom
            self.model = model
            self.name = name
            self.createdAt = createdAt
            self.lastSeenAt = lastSeenAt
            self.isSelf = isSelf
        }
    }

    /// The response to `POST /v1/link-codes`.
    package struct LinkCode: Sendable, Hashable, Codable {
        package var code: String
        package var expiresAt: Time

        package init(code: String, expiresAt: Time) {
            self.code = code
            self.expiresAt = expiresAt
        }
    }

    /// The body of `POST /v1/devices/self/link`, which moves the requesting device and its archives to the user of the
    /// code.
    package struct Link: Sendable, Hashable, Codable {
        package var code: String

        package init(code: String) { self.code = code }
    }
}
