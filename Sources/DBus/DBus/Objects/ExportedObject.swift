/// What stands behind an object path. Introspectable, Properties and Peer are added by the connection.
///
/// Every function is called on the connection's serial executor, and none may wait: a method that takes time keeps the call and
/// answers later.
public protocol ExportedObject: Sendable {
  /// The object's own interfaces, without the standard ones.
  var interfaces: [InterfaceDescription] { get }

  /// The value of a readable property. It must have the type that the description says.
  ///
  /// - Throws: What `Get` answers. `GetAll` leaves the property out.
  func property(_ name: String, of interface: String) throws(DBusError) -> Value

  /// How to make the value of a readable property that takes time; nil for one that ``property(_:of:)`` gives at once, which gives all. Asked
  /// before each read.
  func largeProperty(_ name: String, of interface: String) -> LargeProperty?

  /// Changes a writable property.
  ///
  /// - Parameters:
  ///   - name: A property whose description says that it is writable.
  ///   - interface: The interface that has it.
  ///   - value: A value of the property's type.
  /// - Throws: What `Set` answers.
  func setProperty(_ name: String, of interface: String, to value: Value) throws(DBusError)

  /// Whether a method can be called with arguments of these types. By default with those of its description only.
  ///
  /// - Parameters:
  ///   - method: A method of one of `interfaces`.
  ///   - signature: The types of the arguments that came, without a space: `sa{sv}`.
  /// - Returns: False to have the call answered with InvalidArgs.
  func accepts(_ method: MethodDescription, arguments signature: String) -> Bool

  /// Carries out a method. The interface, the method and the types of the arguments are checked.
  ///
  /// - Parameter call: Must be answered exactly once, now or later.
  func handle(_ call: IncomingCall)
}

extension ExportedObject {
  /// No properties.
  public func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    throw .unknownProperty("No property \(name) in \(interface)")
  }

  /// No property takes time.
  public func largeProperty(_ name: String, of interface: String) -> LargeProperty? { nil }

  /// Nothing can be set.
  public func setProperty(_ name: String, of interface: String, to value: Value) throws(DBusError) {
    throw .propertyReadOnly("Property \(name) cannot be set")
  }

  /// The types of the description and no others.
  public func accepts(_ method: MethodDescription, arguments signature: String) -> Bool { signature == method.inputSignature }

  /// No methods.
  public func handle(_ call: IncomingCall) { call.fail(.unknownMethod("No method \(call.member)")) }

  /// The interface of that name.
  func interface(_ name: String) -> InterfaceDescription? { interfaces.first { $0.name == name } }
}
