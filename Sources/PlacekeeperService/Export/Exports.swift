/// Exports and imports users.
package struct Exports: UseCases {
    let service: RestorationService
}
