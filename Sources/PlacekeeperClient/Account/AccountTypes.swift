public import Foundation

extension Placekeeper {
    /// A code with which another device can join the user of this device.
    public struct LinkCode: Sendable, Equatable {
        /// The code, to be typed on the other device.
        public var code: String
        /// The time at which the code expires.
        public var expiresAt: Date
    }

    /// What happens to unsent states at a sign-out.
    public struct Pending: Sendable, Hashable {
        enum Treatment: Sendable, Hashable {
            case sendFirst(deadline: Double)
            case keep
            case discard
        }

        let treatment: Treatment

        /// Sends the states first. If they cannot be sent within `deadline` seconds, the sign-out fails with
        /// `pendingNotSent`, and the device is still signed in.
        public static func sendFirst(deadline: Double) -> Pending { Pending(treatment: .sendFirst(deadline: deadline)) }
        /// Keeps the states on this device until the same user signs in again, for at most 30 days.
        public static let keepForThisUser = Pending(treatment: .keep)
        /// Deletes the states.
        public static let discard = Pending(treatment: .discard)
    }
}
