extension Wire {
    /// The body of `POST /v1/devices`.
    package struct Registration: Sendable, Hashable, Codable {
        /// The app's publishable key, `pk_…`.
        package var app: String
        package var idiom: Idiom
        /// The device model, such as `iPhone16,1`.
        package var model: String?
        package var name: String?
        /// The version of the operating system, such as `18.1`.
        package var systemVersion: String?
        /// The installation's ID and secret. A client that missed the response gets the same device when it sends the
        /// same pair.
        package var installation: Installation?
        /// A link code. If present, the device joins the code's user.
        package var linkCode: String?
        /// A sign-in token, which is a JWT from the app's backend. If present, the device joins the token's account.
        package var signInToken: String?
        /// The installation whose identity the device copied. Without a code or token, the device joins this
        /// installation's user.
        package var copyOf: Installation?

        package init(
            app: String, idiom: Idiom, model: String? = nil, name: String? = nil, systemVersion: String? = nil,
            installation: Installation? = nil, linkCode: String? = nil, signInToken: String? = nil,
            copyOf: Installation? = nil
        ) {
            self.app = app
            self.idiom = idiom
            self.model = model
            self.name = name
            self.systemVersion = systemVersion
            self.installation = installation
            self.linkCode = linkCode
            self.signInToken = signInToken
            self.copyOf = copyOf
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            app = try members.decode(String.self, forKey: .app)
            idiom = try members.decode(Idiom.self, forKey: .idiom)
            model = try members.optional(.model)
            name = try members.optional(.name)
            systemVersion = try members.optional(.systemVersion)
            installation = try members.optional(.installation)
            linkCode = try members.optional(.linkCode)
            signInToken = try members.optional(.signInToken)
            copyOf = try members.optional(.copyOf)
            let given = [CodingKeys.linkCode, .signInToken, .copyOf].filter(members.contains)
            guard given.count < 2 else {
                throw DecodingError.invalidMember(
                    "Give only one of linkCode, signInToken and copyOf.", at: members.codingPath + [given[1]])
            }
            guard copyOf == nil || installation != nil else {
                throw DecodingError.invalidMember(
                    "A registration with copyOf needs a new installation.",
                    at: members.codingPath + [CodingKeys.installation])
            }
        }
    }

    /// An installation of an app, with the ID and secret created by the client.
    package struct Installation: Sendable, Hashable, Codable {
        /// A UUID.
        package var id: String
        /// At least 22 visible ASCII characters, such as 32 random bytes in base64url.
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// The response to `POST /v1/devices`.
    package struct Registered: Sendable, Hashable, Codable {
        /// The device's id.
        package var device: String
        /// The bearer token. The service sends it only in this response.
        package var token: String
        /// The id of the device's user.
        package var user: String
        /// Whether the device's user has an account of the app.
        package var isSignedIn: Bool

        package init(device: String, token: String, user: String, isSignedIn: Bool) {
            self.device = device
            self.token = token
            self.user = user
            self.isSignedIn = isSignedIn
        }
    }

    package struct Device: Sendable, Hashable, Codable {
        package var id: String
        package var user: String
        package var idiom: Idiom
        package var model: String?
        package var name: String?
        package var systemVersion: String?
        /// Whether the device's user has an account of the app.
        package var isSignedIn: Bool
        package var createdAt: Time
        package var lastSeenAt: Time
        /// Whether this is the requesting device.
        package var isSelf: Bool

        package init(
            id: String, user: String, idiom: Idiom, model: String?, name: String?, systemVersion: String?,
            isSignedIn: Bool, createdAt: Time, lastSeenAt: Time, isSelf: Bool
        ) {
            self.id = id
            self.user = user
            self.idiom = idiom
            self.model = model
            self.name = name
            self.systemVersion = systemVersion
            self.isSignedIn = isSignedIn
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

    /// The body of `POST /v1/devices/self/link`, which moves the requesting device and its archives to the code's user.
    package struct Link: Sendable, Hashable, Codable {
        package var code: String

        package init(code: String) { self.code = code }
    }

    /// The body of `PATCH /v1/devices/self`, a merge patch (RFC 7396). Absent members stay unchanged, and `null`
    /// removes a text.
    package struct DevicePatch: Sendable, Hashable, Decodable {
        package var idiom: Idiom?
        package var model: String??
        package var name: String??
        package var systemVersion: String??

        enum CodingKeys: CodingKey { case idiom, model, name, systemVersion }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            idiom = try members.optional(.idiom)
            model = try members.patched(.model)
            name = try members.patched(.name)
            systemVersion = try members.patched(.systemVersion)
        }
    }

    /// The body of `POST /v1/devices/self/sign-in`.
    package struct SignIn: Sendable, Hashable, Codable {
        /// A JWT from the app's backend.
        package var token: String

        package init(token: String) { self.token = token }
    }

    /// The body of `POST /v1/devices/self/sign-out`.
    package struct SignOut: Sendable, Hashable, Codable {
        /// The device's next user.
        package var next: Next

        package struct Next: WireWord {
            /// The device registers for a new anonymous user.
            package static let anonymous = Self(rawValue: "anonymous")
            /// The device has no user anymore.
            package static let none = Self(rawValue: "none")
            package static let known = [anonymous, none]
            package let rawValue: String

            package init(rawValue: String) { self.rawValue = rawValue }
        }

        package init(next: Next) { self.next = next }
    }

    /// The requests that a token allows.
    package struct TokenAccess: WireWord {
        package static let full = Self(rawValue: "full")
        package static let readOnly = Self(rawValue: "readOnly")
        package static let known = [full, readOnly]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The body of `POST /v1/devices/self/token`.
    package struct TokenRequest: Sendable, Hashable, Codable {
        package var access: TokenAccess?
        /// Whether the device's previous token with this access becomes invalid immediately instead of after a minute.
        package var revokesPrevious: Bool?

        package init(access: TokenAccess? = nil, revokesPrevious: Bool? = nil) {
            self.access = access
            self.revokesPrevious = revokesPrevious
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            access = try members.optional(.access)
            revokesPrevious = try members.optional(.revokesPrevious)
        }
    }

    /// The response to `POST /v1/devices/self/token`.
    package struct NewToken: Sendable, Hashable, Codable {
        /// The bearer token. The service sends it only in this response.
        package var token: String
        package var access: TokenAccess

        package init(token: String, access: TokenAccess) {
            self.token = token
            self.access = access
        }
    }
}
