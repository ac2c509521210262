/// Where a subtree of objects comes from: they are looked up when they are called, not registered one by one.
///
/// Every function is called on the connection's serial executor. An actor on that executor implements them as `nonisolated` with
/// `assumeIsolated`. None may wait.
public protocol ObjectSource: Sendable {
  /// A first look at a call, before the object is looked up and anything but the path is checked.
  ///
  /// - Parameter call: Any call in the subtree, those of the standard interfaces except Peer included. Its reply is not checked
  ///   against a signature, as the method is not known.
  /// - Returns: True if the source has taken the call and answers it, now or later.
  func intercept(_ call: IncomingCall) -> Bool

  /// The object at a path of the subtree; nil if there is none.
  func object(at path: ObjectPath) -> (any ExportedObject)?

  /// The names right below `path`, which is in the subtree, whether or not there is an object at it. Used for introspection.
  func childNames(of path: ObjectPath) -> [String]

  /// Where `GetManagedObjects` is served; nil if nowhere.
  var objectManagerPath: ObjectPath? { get }

  /// What the object manager lists.
  func managedPaths() -> [ObjectPath]

  /// About how many bytes the answer of `GetManagedObjects` has: one that cannot be sent is refused before it is made, and a large one is
  /// made beside the loop.
  func managedSize() -> Int

  /// Another number whenever `GetManagedObjects` would answer something else.
  var managedStamp: UInt64 { get }
}

extension ObjectSource {
  /// Takes no call.
  public func intercept(_ call: IncomingCall) -> Bool { false }
  /// No object manager.
  public var objectManagerPath: ObjectPath? { nil }
  /// No objects.
  public func managedPaths() -> [ObjectPath] { [] }
  /// A small answer.
  public func managedSize() -> Int { 0 }
  /// Does not count for a small answer.
  public var managedStamp: UInt64 { 0 }
}
