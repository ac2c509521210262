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
