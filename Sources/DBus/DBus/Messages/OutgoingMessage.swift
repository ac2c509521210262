/// A message before it is marshalled.
struct OutgoingMessage: Sendable {
  enum Kind: Sendable {
    case methodCall(expectsReply: Bool, autoStart: Bool)
    case methodReturn(to: UInt32)
    case error(to: UInt32, name: String)
    case signal
  }

  var kind: Kind
  var destination: String?
  var path: ObjectPath?
  var interface: String?
  var member: String?
  var body: [Value]

  static func call(_ call: MethodCall, expectsReply: Bool) -> OutgoingMessage {
    OutgoingMessage(
      kind: .methodCall(expectsReply: expectsReply, autoStart: call.autoStart), destination: call.destination, path: call.path,
      interface: call.interface, member: call.member, body: call.arguments)
  }

  static func signal(_ signal: Signal, to destination: String?) -> OutgoingMessage {
    OutgoingMessage(
      kind: .signal, destination: destination, path: signal.path, interface: signal.interface, member: signal.member,
      body: signal.body)
  }

  static func reply(_ values: [Value], to serial: UInt32, of sender: String) -> OutgoingMessage {
    OutgoingMessage(kind: .methodReturn(to: serial), destination: sender.isEmpty ? nil : sender, body: values)
  }

  static func error(_ error: DBusError, to serial: UInt32, of sender: String) -> OutgoingMessage {
    OutgoingMessage(
      kind: .error(to: serial, name: error.wireName), destination: sender.isEmpty ? nil : sender, body: error.body)
  }

  /// Checks everything that would make the bus disconnect this connection.
  ///
  /// - Returns: an upper bound of the message's size in bytes.
  /// - Throws: `InvalidArgs` for a name or a value that no message can contain, `LimitsExceeded` for a message beyond
  ///   `limits`.
  @discardableResult
  func check(_ limits: MessageLimits) throws(DBusError) -> Int {
    do {
      if let destination { try Names.check(destination, as: .busName) }
      if let interface { try Names.check(interface, as: .interface) }
      if let member { try Names.check(member, as: .member) }
      if case .error(_, let name) = kind { try Names.check(name, as: .errorName) }
    } catch {
      throw .invalidArgs(error.description)
    }
    // Reserved by libdbus; the bus disconnects clients that use them.
    guard path != "/org/freedesktop/DBus/Local", interface != "org.freedesktop.DBus.Local" else {
      throw .invalidArgs("messages cannot be sent as org.freedesktop.DBus.Local")
    }
    let measure: Measure
    do {
      measure = try Measure(of: body)
    } catch {
      switch error {
      case .tooDeep, .arrayTooLarge, .messageTooLarge: throw .limitsExceeded(error.description)
      case .wrongType, .nulInString, .noSignature: throw .invalidArgs(error.description)
      }
    }
    guard measure.depth <= limits.depth else {
      throw .limitsExceeded("the message would be nested deeper than \(limits.depth) levels")
    }
    let size = headerSize + measure.size
    guard size <= limits.size else { throw .limitsExceeded("the message would be larger than \(limits.size) bytes") }
    return size
  }

  /// An upper bound: each field has a code, a type, a length, a terminator and up to seven bytes of padding.
  private var headerSize: Int {
    var texts = (path?.string.utf8.count ?? 0) + (destination?.utf8.count ?? 0)
    texts += (interface?.utf8.count ?? 0) + (member?.utf8.count ?? 0)
    if case .error(_, let name) = kind { texts += name.utf8.count }
    return 16 + 7 * 20 + texts + WireLimits.signatureLength
  }
}

/// A signal to send.
public struct Signal: Sendable, Hashable {
  /// The path of the object that emits the signal.
  public var path: ObjectPath
  /// The interface that declares the signal.
  public var interface: String
  /// The signal's name.
  public var member: String
  /// The signal's arguments.
  public var body: [Value]

  /// Creates a signal. It is not checked until it is sent.
  public init(path: ObjectPath, interface: String, member: String, body: [Value] = []) {
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
  }
}

/// A call of a method of a remote object.
public struct MethodCall: Sendable, Hashable {
  /// The callee's bus name, unique or well-known.
  public var destination: String
  /// The object's path.
  public var path: ObjectPath
  /// The method's interface. If it is nil the callee chooses, which few callees do well.
  public var interface: String?
  /// The method's name.
  public var member: String
  /// The arguments.
  public var arguments: [Value]
  /// Whether the bus starts the service if it is not running.
  public var autoStart: Bool

  /// Creates a call. It is not checked until it is sent.
  public init(
    destination: String, path: ObjectPath, interface: String?, member: String, arguments: [Value] = [], autoStart: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.autoStart = autoStart
  }

  /// Returns a call to the bus itself.
  static func bus(_ member: String, _ arguments: [Value], interface: String = BusDriver.name) -> MethodCall {
    MethodCall(destination: BusDriver.name, path: BusDriver.path, interface: interface, member: member, arguments: arguments)
  }
}

/// The bus itself as a peer.
///
/// Source: D-Bus Specification, "Message Bus Messages".
enum BusDriver {
  /// The bus's own name, which is also the name of the interface with its methods and signals.
  static let name = "org.freedesktop.DBus"
  static let path: ObjectPath = "/org/freedesktop/DBus"
}

/// A received signal.
public struct SignalMessage: Sendable, Hashable {
  /// The unique name of the connection that sent the signal, or `org.freedesktop.DBus` for the bus itself.
  public var sender: String
  /// The path of the object that emitted the signal.
  public var path: ObjectPath
  /// The interface that declares the signal.
  public var interface: String
  /// The signal's name.
  public var member: String
  /// The signal's arguments.
  public var body: [Value]
  /// The serial number that the sender assigned to the message.
  public var serial: UInt32

  /// Creates a received signal.
  public init(sender: String, path: ObjectPath, interface: String, member: String, body: [Value] = [], serial: UInt32 = 0) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
    self.serial = serial
  }
}
