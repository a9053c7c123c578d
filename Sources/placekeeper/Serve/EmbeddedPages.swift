import PlacekeeperServer

/// The files of the folder `Public`, which are a part of the program.
enum EmbeddedPages {
    static let files = [
        Assets.File(name: "admin/admin.css", bytes: PackageResources.admin_css),
        Assets.File(name: "admin/admin.html", bytes: PackageResources.admin_html),
        Assets.File(name: "admin/app.js", bytes: PackageResources.app_js),
        Assets.File(name: "admin/curl.js", bytes: PackageResources.curl_js),
        Assets.File(name: "admin/decisions.js", bytes: PackageResources.decisions_js),
        Assets.File(name: "admin/deleted.js", bytes: PackageResources.deleted_js),
        Assets.File(name: "admin/elements.js", bytes: PackageResources.elements_js),
        Assets.File(name: "admin/forms.js", bytes: PackageResources.forms_js),
        Assets.File(name: "admin/log-in.js", bytes: PackageResources.log_in_js),
        Assets.File(name: "admin/trials.js", bytes: PackageResources.trials_js),
        Assets.File(name: "admin/views-app.js", bytes: PackageResources.views_app_js),
        Assets.File(name: "admin/views-archive.js", bytes: PackageResources.views_archive_js),
        Assets.File(name: "admin/views-difference.js", bytes: PackageResources.views_difference_js),
        Assets.File(name: "admin/views-explain.js", bytes: PackageResources.views_explain_js),
        Assets.File(name: "admin/views-health.js", bytes: PackageResources.views_health_js),
        Assets.File(name: "admin/views-item.js", bytes: PackageResources.views_item_js),
        Assets.File(name: "admin/views-live.js", bytes: PackageResources.views_live_js),
        Assets.File(name: "admin/views-overview.js", bytes: PackageResources.views_overview_js),
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
