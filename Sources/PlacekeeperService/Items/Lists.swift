/// Declares lists, registers their items, and resolves identifiers.
package struct Lists: UseCases {
    let service: RestorationService
}
