import DBus

/// The D-Bus contract of coordinatord in Swift: its names, its paths and its interfaces.
///
/// `Docs/org.coordinatord.Coordinator1.xml` is the contract itself; a test compares the two.
public enum Contract {
  /// The name that the daemon owns on the bus.
  public static let busName = "org.coordinatord.Coordinator1"
  /// The object of the Manager and of the ObjectManager.
  public static let rootPath: ObjectPath = "/org/coordinatord/Coordinator1"
  /// The object whose children are the root coordinators.
  public static let flowsPath: ObjectPath = "/org/coordinatord/Coordinator1/flows"
  /// The last element of a router's path.
  public static let routerElement = "router"

  /// Starts flows and knows how they ended.
  public static let managerInterface = "org.coordinatord.Coordinator1.Manager"
  /// One running coordinator.
  public static let coordinatorInterface = "org.coordinatord.Coordinator1.Coordinator"
  /// What a flow tree shows.
  public static let routerInterface = "org.coordinatord.Coordinator1.Router"
  /// What the names of the contract's own errors begin with.
  public static let errorPrefix = "org.coordinatord.Coordinator1.Error."

  /// How deep objects and arrays may be nested in what comes in or goes out.
  public static let maximumDepth = 8

  /// The path of a root coordinator.
  ///
  /// - Parameter root: The caller's token, or the flow's name and a number: `pets_1`.
  /// - Returns: The path.
  /// - Throws: `InvalidName` if `root` is not an element of a path.
  public static func flowPath(root: String) throws(InvalidName) -> ObjectPath {
    try flowsPath.appending(root)
  }

  /// The path of the router of a flow tree.
  ///
  /// - Parameter root: The path of the tree's root coordinator.
  /// - Returns: The path.
  /// - Throws: `InvalidName` if the path would be too long.
  public static func routerPath(of root: ObjectPath) throws(InvalidName) -> ObjectPath {
    try root.appending(routerElement)
  }

  /// Finds the root of the flow tree that an object belongs to.
  ///
  /// - Parameter path: The path of any coordinator, or of a router.
  /// - Returns: The path of the root coordinator; nil for a path that is not below `flowsPath`.
  public static func root(of path: ObjectPath) -> ObjectPath? {
    guard path.isBelow(flowsPath) else { return nil }
    let elements = path.elements
    guard elements.count > flowsPath.elements.count else { return nil }
    return try? flowPath(root: String(elements[flowsPath.elements.count]))
  }
}
