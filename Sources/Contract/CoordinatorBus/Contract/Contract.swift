import CoordinatorKit
import DBus

/// The Swift counterpart of coordinatord's D-Bus contract: its names, paths and interfaces.
///
/// `Docs/org.coordinatord.Coordinator1.xml` is the contract itself; a test compares the two.
public enum Contract {
  // The command line refuses an invalid name in the environment; a library falls back to the standard name.
  private static let daemon = (try? DaemonName.chosen()) ?? .standard
  /// The well-known bus name of the daemon that this process implements or calls: see ``DaemonName/choose(_:)``.
  public static let busName = daemon.busName
  /// The well-known bus name of the program that serves scripts to this daemon.
  package static let scriptsName = daemon.scriptsName
  /// The path of the object that has the Manager and ObjectManager interfaces.
  public static let rootPath = daemon.rootPath
  /// The path of the object whose children are the root coordinators.
  public static let flowsPath = (try? daemon.rootPath.appending("flows")) ?? "/org/coordinatord/Coordinator1/flows"
  /// The last element of a router's path.
  public static let routerElement = "router"

  /// The name of the interface that starts flows and reports their outcomes.
  public static let managerInterface = "org.coordinatord.Coordinator1.Manager"
  /// The name of the interface of a running coordinator.
  public static let coordinatorInterface = "org.coordinatord.Coordinator1.Coordinator"
  /// The name of the interface through which a flow tree's screens are shown.
  public static let routerInterface = "org.coordinatord.Coordinator1.Router"
  /// The prefix of the contract's error names.
  public static let errorPrefix = "org.coordinatord.Coordinator1.Error."

  /// The maximum nesting depth of objects and arrays, in both directions.
  public static let maximumDepth = JSONValue.maximumSentDepth

  /// Returns the path of a root coordinator.
  ///
  /// - Parameter root: the caller's token, or the flow's name and a number, such as `pets_1`.
  /// - Returns: the path.
  /// - Throws: `InvalidName` if `root` is not a valid path element.
  public static func flowPath(root: String) throws(InvalidName) -> ObjectPath {
    try flowsPath.appending(root)
  }

  /// Returns the path of a flow tree's router.
  ///
  /// - Parameter root: the path of the tree's root coordinator.
  /// - Returns: the path.
  /// - Throws: `InvalidName` if the path would be too long.
  public static func routerPath(of root: ObjectPath) throws(InvalidName) -> ObjectPath {
    try root.appending(routerElement)
  }

  /// Returns the root of the flow tree that an object belongs to.
  ///
  /// - Parameter path: the path of any coordinator or router.
  /// - Returns: the path of the root coordinator; nil if `path` is not below `flowsPath`.
  public static func root(of path: ObjectPath) -> ObjectPath? {
    guard path.isBelow(flowsPath) else { return nil }
    let elements = path.elements
    guard elements.count > flowsPath.elements.count else { return nil }
    return try? flowPath(root: String(elements[flowsPath.elements.count]))
  }
}
