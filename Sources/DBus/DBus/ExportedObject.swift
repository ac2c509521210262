/// An object that the connection serves at an object path. The connection adds the interfaces Introspectable,
/// Properties and Peer.
///
/// The connection calls every requirement on its serial executor. Your implementation must not block: a method that
/// takes time stores the call and answers it later.
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
