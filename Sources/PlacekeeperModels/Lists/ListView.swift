/// A view that shows a list. A data source that serves several views tells them apart by it.
@MainActor
public protocol ElementView: AnyObject {}
