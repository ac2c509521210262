/// An object that the connection serves at an object path. The connection adds the interfaces Introspectable,
/// Properties and Peer.
///
/// The connection calls every requirement on its serial executor. Your implementation must not block: a method that
/// takes time stores the call and answers it later.
///
/// ```swift
/// struct Lamp: ExportedObject {
///   let interfaces = [
///     InterfaceDescription(
///       "com.example.Lamp", methods: [MethodDescription("Blink", outputs: [Argument("times", "u")])])
///   ]
///
///   func property(_ name: String, of interface: String) throws(DBusError) -> Value {
///     throw .failed("the interface has no properties")
///   }
///
///   func handle(_ call: IncomingCall) { call.reply([.uint32(3)]) }
/// }
///
/// try await connection.export(Lamp(), at: "/com/example/Lamp")
/// ```
public protocol ExportedObject: Sendable {
  /// The object's own interfaces, without the standard ones.
  var interfaces: [InterfaceDescription] { get }

  /// Called to read a readable property. Your implementation should return a value of the type in the property's
  /// description.
  ///
  /// - Throws: the error to answer `Get` with. `GetAll` omits the property.
  func property(_ name: String, of interface: String) throws(DBusError) -> Value

  /// Called before each read of a readable property. Your implementation should return how to make a value that takes
  /// time, or nil if ``property(_:of:)`` can return the value immediately. ``property(_:of:)`` must support all
  /// properties either way.
  func largeProperty(_ name: String, of interface: String) -> LargeProperty?

  /// Called to set a writable property.
  ///
  /// - Parameters:
  ///   - name: a property whose description says that it is writable.
  ///   - interface: the interface that declares it.
  ///   - value: a value of the property's type.
  /// - Throws: the error to answer `Set` with.
  func setProperty(_ name: String, of interface: String, to value: Value) throws(DBusError)

  /// Called to decide whether a method accepts arguments of the given types. The default implementation accepts only
  /// those of its description.
  ///
  /// - Parameters:
  ///   - method: a method of one of `interfaces`.
  ///   - signature: the concatenated type codes of the received arguments, such as `sa{sv}`.
  /// - Returns: false to have the call answered with `InvalidArgs`.
  func accepts(_ method: MethodDescription, arguments signature: String) -> Bool

  /// Called to carry out a method. The interface, the method and the argument types have already been checked.
  ///
  /// - Parameter call: the call. Your implementation must answer it exactly once, now or later.
  func handle(_ call: IncomingCall)
}

extension ExportedObject {
  /// Throws `UnknownProperty`: by default, an object has no properties.
  public func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    throw .unknownProperty("No property \(name) in \(interface)")
  }

  /// Returns nil: by default, no property takes time.
  public func largeProperty(_ name: String, of interface: String) -> LargeProperty? { nil }

  /// Throws `PropertyReadOnly`: by default, no property can be set.
  public func setProperty(_ name: String, of interface: String, to value: Value) throws(DBusError) {
    throw .propertyReadOnly("Property \(name) cannot be set")
  }

  /// Accepts only the argument types of the method's description.
  public func accepts(_ method: MethodDescription, arguments signature: String) -> Bool { signature == method.inputSignature }

  /// Answers with `UnknownMethod`: by default, an object has no methods.
  public func handle(_ call: IncomingCall) { call.fail(.unknownMethod("No method \(call.member)")) }

  /// Returns the object's own interface with the given name; nil if there is none.
  func interface(_ name: String) -> InterfaceDescription? { interfaces.first { $0.name == name } }
}

/// A source of the objects of a subtree, which are looked up when they are called instead of being exported one by one.
///
/// The connection calls every requirement on its serial executor. An actor on that executor implements them as
/// `nonisolated` with `assumeIsolated`. Your implementation must not block.
///
/// ```swift
/// struct Lamps: ObjectSource {
///   let lamps: [ObjectPath: Lamp]
///
///   func object(at path: ObjectPath) -> (any ExportedObject)? { lamps[path] }
///   func childNames(of path: ObjectPath) -> [String] { path == "/com/example/Lamps" ? ["Hall", "Kitchen"] : [] }
/// }
///
/// await connection.serve(Lamps(lamps: lamps), below: "/com/example/Lamps")
/// ```
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

/// All objects of a connection: those exported one by one, and the sources.
struct ObjectTree {
  /// The objects exported with ``Connection/export(_:at:)``.
  private var exports: [ObjectPath: any ExportedObject] = [:]
  /// The sources, deepest first, so that the first one that covers a path is the one to ask.
  private var sources: [(below: ObjectPath, source: any ObjectSource)] = []

  /// Adds an exported object. Returns whether the path was free.
  mutating func export(_ object: any ExportedObject, at path: ObjectPath) -> Bool {
    guard exports[path] == nil else { return false }
    exports[path] = object
    return true
  }

  mutating func unexport(_ path: ObjectPath) { exports[path] = nil }

  mutating func add(_ source: any ObjectSource, below path: ObjectPath) {
    sources.removeAll { $0.below == path }
    sources.append((path, source))
    sources.sort { $0.below.string.utf8.count > $1.below.string.utf8.count }
  }

  mutating func removeSource(below path: ObjectPath) { sources.removeAll { $0.below == path } }

  /// Returns the source that is responsible for a path; nil if there is none.
  func source(for path: ObjectPath) -> (any ObjectSource)? {
    sources.first { $0.below == path || path.isBelow($0.below) }?.source
  }

  func object(at path: ObjectPath) -> (any ExportedObject)? { exports[path] ?? source(for: path)?.object(at: path) }

  /// Returns the names directly below the called path that the caller may see, sorted.
  func childNames(for call: IncomingCall) -> [String] {
    let path = call.path
    var names = Set(source(for: path)?.visible(to: call).childNames(of: path) ?? [])
    for other in exports.keys { Self.nextElement(of: other, below: path).map { _ = names.insert($0) } }
    for (other, _) in sources { Self.nextElement(of: other, below: path).map { _ = names.insert($0) } }
    return names.sorted()
  }

  private static func nextElement(of path: ObjectPath, below parent: ObjectPath) -> String? {
    guard path.isBelow(parent) else { return nil }
    let rest = path.string.utf8.dropFirst(parent.isRoot ? 1 : parent.string.utf8.count + 1)
    return String(Substring(rest.prefix { $0 != UInt8(ascii: "/") }))
  }
}

/// The error for exporting an object at a path that already has one.
public struct PathInUse: Error, Sendable, Hashable {
  /// The path that is in use.
  public let path: ObjectPath

  /// Creates an error about `path`.
  public init(path: ObjectPath) { self.path = path }
}
