import Foundation
import KeyedArchive
import StateRestoration
import SwiftUI
import UIKit

/// Types of SwiftUI, UIKit and Foundation, by their bare names. If the runtime's modules declared one of these names
/// too, the name would be ambiguous, and this file would not compile.
let swiftUI: [Any.Type] = [
    (any App).self, (any Scene).self, (any View).self, Window.self, WindowGroup.self, List.self, Section.self,
    Form.self, Group.self, Text.self, TextField.self, TextEditor.self, Label.self, Image.self, Button.self,
    Toggle.self, Picker.self, Menu.self, Link.self, ScrollView.self, ScrollPosition.self, TabView.self, Tab.self,
    NavigationView.self, NavigationStack.self, NavigationSplitView.self, NavigationPath.self, State.self,
    Binding.self, Environment.self, EnvironmentValues.self, SceneStorage.self, AppStorage.self, ScenePhase.self,
    Alert.self, Animation.self, Transaction.self, Table.self, TableColumn.self, OutlineGroup.self, Grid.self,
    Canvas.self, Path.self, Color.self, Font.self, (any Shape).self, (any Layout).self, Edge.self, Axis.self,
    Anchor.self, Namespace.self,
]
let uiKit: [Any.Type] = [
    UIView.self, UIWindow.self, UIScene.self, UIWindowScene.self, UIScreen.self, UIViewController.self,
    UINavigationController.self, UITabBarController.self, UISplitViewController.self, UITableView.self,
    UICollectionView.self, UIScrollView.self, UITextField.self, UITextView.self, UIStoryboard.self,
    UIApplication.self, UISceneSession.self, (any UIStateRestoring).self, (any UIDataSourceModelAssociation).self,
    (any UIViewControllerRestoration).self, (any UIObjectRestoration).self, UIActivityViewController.self,
    UIUserInterfaceIdiom.self, UITraitCollection.self, NSDirectionalEdgeInsets.self, UIEdgeInsets.self,
]
let foundation: [Any.Type] = [
    Bundle.self, Data.self, Date.self, DateComponents.self, Decimal.self, FileManager.self, IndexPath.self,
    IndexSet.self, JSONDecoder.self, Locale.self, Notification.self, NSCoder.self,
    NSKeyedArchiver.self, Operation.self, OperationQueue.self, Process.self, Progress.self,
    PropertyListDecoder.self, PropertyListSerialization.self, Scanner.self, Stream.self, Thread.self,
    TimeZone.self, Timer.self, URL.self, UserDefaults.self, UUID.self,
]

/// The runtime's own types, by their bare names. The file can use them although it imports SwiftUI and UIKit.
let runtime: [Any.Type] = [
    StateArchive.self, StateEncoder.self, StateDecoder.self, RestorationEnvironment.self,
    RestorableApplication.self, ModelReference.self,
]
