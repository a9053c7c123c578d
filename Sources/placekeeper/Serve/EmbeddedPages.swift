import PlacekeeperServer

/// The files of the folder `Public`, which are a part of the program.
enum EmbeddedPages {
    static let files = [
        Assets.File(name: "admin/admin.css", bytes: PackageResources.admin_css),
        Assets.File(name: "admin/admin.html", bytes: PackageResources.admin_html),
        Assets.File(name: "admin/app.js", bytes: PackageResources.app_js),
        Assets.File(name: "admin/elements.js", bytes: PackageResources.elements_js),
        Assets.File(name: "admin/views-app.js", bytes: PackageResources.views_app_js),
        Assets.File(name: "admin/views-archive.js", bytes: PackageResources.views_archive_js),
        Assets.File(name: "admin/views-scene.js", bytes: PackageResources.views_scene_js),
        Assets.File(name: "admin/views-service.js", bytes: PackageResources.views_service_js),
        Assets.File(name: "admin/views-settings.js", bytes: PackageResources.views_settings_js),
        Assets.File(name: "admin/views-user.js", bytes: PackageResources.views_user_js),
        Assets.File(name: "index.html", bytes: PackageResources.index_html),
        Assets.File(name: "mark.svg", bytes: PackageResources.mark_svg),
        Assets.File(name: "status.css", bytes: PackageResources.status_css),
        Assets.File(name: "status.js", bytes: PackageResources.status_js),
    ]
}
