import KeyedArchive

@main
struct Consumer {
    static func main() throws {
        print(try ArchiveSummary(reading: StateArchive().encoded()))
    }
}
