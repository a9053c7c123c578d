/// Watches whether restores succeed: the restore log, the breaker, and trials of settings.
package struct Health: UseCases {
    let service: RestorationService
}
