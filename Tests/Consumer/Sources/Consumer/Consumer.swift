import KeyedArchive

@main
struct Consumer {
    static func main() {
        print(ArchiveSummary())
    }
}
