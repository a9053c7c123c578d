/// A sample of a metric. The samples of one metric are adjacent.
package struct Metric: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// Lowercase words separated by underscores, without the prefix of the page. Counter names end with `_total`.
    package var name: String
    package var kind: Kind
    package var help: String
    package var value: Double
    /// The part of the sample's name after the metric's name, such as `_bucket`.
    package var suffix: String
    /// Texts without quotation marks, backslashes or line feeds. They come from the program or from operators and never
    /// from a client, so clients can't add series.
    package var labels: [(name: String, value: String)]

    package init(
        _ name: String, _ kind: Kind, _ help: String, _ value: Double, suffix: String = "",
        labels: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.value = value
        self.suffix = suffix
        self.labels = labels
    }

    package init(
        _ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger,
        labels: [(name: String, value: String)] = []
    ) {
        self.init(name, kind, help, Double(value), labels: labels)
    }
}
