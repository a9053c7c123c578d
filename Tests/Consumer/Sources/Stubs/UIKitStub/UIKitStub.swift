// swift-format-ignore-file
// Public type names of UIKit. Most declarations are empty: only the names matter. The view controller has the
// isolation and the methods that an app overrides.

@MainActor open class UIResponder { public init() {} }
@MainActor open class UIViewController: UIResponder {
    public override init() { super.init() }
    open func viewDidLoad() {}
    open func viewWillDisappear(_ animated: Bool) {}
}
public struct UIView {}
public struct UIWindow {}
public struct UIScene {}
public struct UIWindowScene {}
public struct UIScreen {}
public struct UINavigationController {}
public struct UITabBarController {}
public struct UISplitViewController {}
public struct UITableView {}
public struct UICollectionView {}
public struct UIScrollView {}
public struct UITextField {}
public struct UITextView {}
public struct UIStoryboard {}
public struct UIApplication {}
public struct UISceneSession {}
public protocol UIStateRestoring {}
public protocol UIDataSourceModelAssociation {}
public protocol UIViewControllerRestoration {}
public protocol UIObjectRestoration {}
public struct UIActivityViewController {}
public struct UIUserInterfaceIdiom {}
public struct UITraitCollection {}
public struct NSDirectionalEdgeInsets {}
public struct UIEdgeInsets {}
public protocol UIInteraction {}
public struct UIAction {}
public struct UIMenu {}
public struct UIImage {}
public struct UIColor {}
