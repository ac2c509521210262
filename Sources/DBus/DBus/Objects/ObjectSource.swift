/// A source of the objects of a subtree, which are looked up when they are called instead of being exported one by one.
///
/// The connection calls every requirement on its serial executor. An actor on that executor implements them as
/// `nonisolated` with `assumeIsolated`. Your implementation must not block.
public protocol ObjectSource: Sendable {
  /// Called for every call in the subtree before the object is looked up; nothing but the path has been checked. Your
  /// implementation can take the call over.
  ///
  /// - Parameter call: any call in the subtree, including those of the standard interfaces except Peer. Its reply is
  ///   not checked against a signature, because the method is not known.
  /// - Returns: true if the source has taken the call and answers it, now or later.
  func intercept(_ call: IncomingCall) -> Bool

  /// Called to look up an object. Your implementation should return the object at a path of the subtree; nil if there
  /// is none.
  func object(at path: ObjectPath) -> (any ExportedObject)?

  /// Called for introspection. Your implementation should return the names directly below `path`, which is in the
  /// subtree and may have no object itself.
  func childNames(of path: ObjectPath) -> [String]

  /// The path at which `GetManagedObjects` is served; nil for none.
  var objectManagerPath: ObjectPath? { get }

  /// Called to list the objects of the object manager. Your implementation should return their paths.
  func managedPaths() -> [ObjectPath]

  /// Called before `GetManagedObjects` is answered. Your implementation should return the approximate size of the
  /// answer in bytes: one that is too large to send is refused before it is made, and a large one is made on another
  /// thread.
  func managedSize() -> Int

  /// A number that changes whenever the answer of `GetManagedObjects` changes.
  var managedStamp: UInt64 { get }

  /// Called before objects are listed for a caller. Your implementation should return the source as the caller may see
  /// it; only its lists are used.
  func visible(to call: IncomingCall) -> any ObjectSource

  /// Identifies the subset of this source that callers see, so that a cached answer to `GetManagedObjects` is not sent to a
  /// caller with another view.
  var managedView: String { get }
}

extension ObjectSource {
  /// Takes no call.
  public func intercept(_ call: IncomingCall) -> Bool { false }
  /// Nil: by default, there is no object manager.
  public var objectManagerPath: ObjectPath? { nil }
  /// Returns no objects.
  public func managedPaths() -> [ObjectPath] { [] }
  /// Returns 0, the size of a small answer.
  public func managedSize() -> Int { 0 }
  /// Always 0, because the stamp is not used for small answers.
  public var managedStamp: UInt64 { 0 }
  /// Returns the source itself: by default, every caller sees all objects.
  public func visible(to call: IncomingCall) -> any ObjectSource { self }
  /// Empty: by default, every caller sees all objects.
  public var managedView: String { "" }
}
