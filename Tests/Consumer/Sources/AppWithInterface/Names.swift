import Foundation
import PlacekeeperKit
import PlacekeeperTesting
import PlacekeeperUIKit
import SwiftUIStub
import UIKitStub

/// Types of SwiftUI, UIKit and Foundation, by their bare names. If the libraries declared one of these names too, the
/// name would be ambiguous, and this file would not compile. The names are in types: the compiler does not refuse an
/// ambiguous `Name.self` in an array of types.
typealias SwiftUINames = (
    any App, any Scene, any View, Window, WindowGroup, List, Section,
    Form, Group, Text, TextField, TextEditor, Label, Image, Button,
    Toggle, Picker, Menu, Link, ScrollView, ScrollPosition, TabView, Tab,
    NavigationView, NavigationStack, NavigationSplitView, NavigationPath, State<Int>,
    Binding<Int>, Environment<ScenePhase>, EnvironmentValues, SceneStorage, AppStorage, ScenePhase,
    Alert, Animation, Transaction, Table, TableColumn, OutlineGroup, Grid,
    Canvas, Path, Color, Font, any Shape, any Layout, Edge, Axis,
    Anchor, Namespace
)
typealias UIKitNames = (
    UIView, UIWindow, UIScene, UIWindowScene, UIScreen, UIViewController,
    UINavigationController, UITabBarController, UISplitViewController, UITableView,
    UICollectionView, UIScrollView, UITextField, UITextView, UIStoryboard,
    UIApplication, UISceneSession, any UIStateRestoring, any UIDataSourceModelAssociation,
    any UIViewControllerRestoration, any UIObjectRestoration, UIActivityViewController,
    UIUserInterfaceIdiom, UITraitCollection, NSDirectionalEdgeInsets, UIEdgeInsets
)
typealias FoundationNames = (
    Bundle, Data, Date, DateComponents, Decimal, FileManager, IndexPath,
    IndexSet, JSONDecoder, Locale, Notification, NSCoder,
    NSKeyedArchiver, Operation, OperationQueue, Process, Progress,
    PropertyListDecoder, PropertyListSerialization, Scanner, Stream, Thread,
    TimeZone, Timer, URL, UserDefaults, UUID
)

/// The libraries' types, by their bare names. The file can use them although it imports SwiftUI and UIKit.
struct Note: PlaceItem { let placeID: String }
typealias LibraryNames = (
    Placekeeper, Placekeeper.Configuration, Placekeeper.Scene<[Int]>, Placekeeper.Scene<[Int]>.Restoration,
    Placekeeper.Place, Placekeeper.Offer, Placekeeper.Status, Placekeeper.Interaction, Placekeeper.Reason,
    PlacekeeperError, any PlaceItem, any PlaceScreen, any ItemSource, ItemReference<Note>, ItemAlias, PlaceOffer,
    TestService, VirtualDevice, NetworkFault, SavedForms
)
