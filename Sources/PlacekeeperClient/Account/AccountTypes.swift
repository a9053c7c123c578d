public import Foundation

extension Placekeeper {
    /// A code with which another device joins the user of this device.
    public struct LinkCode: Sendable, Hashable {
        /// The code, which a person types on the other device.
        public var code: String
        /// The time until which the code is valid.
        public var expiresAt: Date
    }

    /// The treatment of states that wait when the person signs out.
    public struct Pending: Sendable, Hashable {
        enum Treatment: Sendable, Hashable {
            case sendFirst(deadline: Double)
            case keep
            case discard
        }

        let treatment: Treatment

        /// Sends the states first. If they are not sent within the seconds of the deadline, the sign-out fails with
        /// `pendingNotSent`, and the device stays signed in.
        public static func sendFirst(deadline: Double) -> Pending { Pending(treatment: .sendFirst(deadline: deadline)) }
        /// Keeps the states on this device until the same person signs in again, for at most 30 days.
        public static let keepForThisUser = Pending(treatment: .keep)
        /// Deletes the states.
        public static let discard = Pending(treatment: .discard)
    }
}
