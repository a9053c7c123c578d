/// Decides which archive a device may restore, explains the decision, and records the outcomes.
package struct Restores: UseCases {
    let service: RestorationService
}
