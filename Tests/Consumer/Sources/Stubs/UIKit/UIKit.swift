// swift-format-ignore-file
// Public type names of UIKit. The declarations are empty: only the names matter.

public struct UIView {}
public struct UIWindow {}
public struct UIScene {}
public struct UIWindowScene {}
public struct UIScreen {}
public struct UIViewController {}
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
