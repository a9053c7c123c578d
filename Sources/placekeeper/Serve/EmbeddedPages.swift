import PlacekeeperServer

/// The files of the folder `Public`, which are a part of the program.
enum EmbeddedPages {
    static let files = [
        Assets.File(name: "index.html", bytes: PackageResources.index_html),
        Assets.File(name: "mark.svg", bytes: PackageResources.mark_svg),
        Assets.File(name: "status.css", bytes: PackageResources.status_css),
        Assets.File(name: "status.js", bytes: PackageResources.status_js),
    ]
}
