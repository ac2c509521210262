/// An error as it travels on the bus: the answer to a method call that failed.
///
/// Source: D-Bus Specification, "Errors"; names of the standard ones as in libdbus' `dbus-protocol.h`.
public struct DBusError: Error, Sendable, Hashable {
  /// Where the standard names live, with the dot.
  public static let standardPrefix = "org.freedesktop.DBus.Error."

  /// The error name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
  public var name: String
  /// What went wrong, for people: the first argument.
  public var message: String
  /// The arguments after the message; almost always none.
  public var extra: [Value]

  /// Makes an error. A name that is no valid error name is sent as `org.freedesktop.DBus.Error.Failed`.
  public init(name: String, message: String, extra: [Value] = []) {
    self.name = name
    self.message = message
    self.extra = extra
  }

  /// Reads an error as received: without a string in front the message is empty and the whole body is `extra`.
  public init(name: String, body: [Value]) {
    if case .string(let message)? = body.first {
      self.init(name: name, message: message, extra: Array(body.dropFirst()))
    } else {
      self.init(name: name, message: "", extra: body)
    }
  }

  /// The arguments to send: the message, in which U+0000 becomes U+FFFD as the wire has no place for it, and `extra`.
  public var body: [Value] {
    let text = message.utf8.contains(0) ? String(message.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : message
    return [.string(text)] + extra
  }

  /// The name to send: `name`, or that of `failed(_:)` when it is no valid error name.
  public var wireName: String { Names.isErrorName(name) ? name : Self.standardPrefix + "Failed" }
}

extension DBusError: CustomStringConvertible {
  /// The name and the message.
  public var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

extension DBusError {
  private static func standard(_ name: String, _ message: String) -> DBusError {
    DBusError(name: standardPrefix + name, message: message)
  }

  /// Whether this is one of the standard errors, such as `"NoReply"`.
  public func isStandard(_ name: String) -> Bool { self.name == Self.standardPrefix + name }

  /// Something went wrong for which there is no better name.
  public static func failed(_ message: String) -> DBusError { standard("Failed", message) }
  /// There is no object at the path.
  public static func unknownObject(_ message: String) -> DBusError { standard("UnknownObject", message) }
  /// The object does not have the interface.
  public static func unknownInterface(_ message: String) -> DBusError { standard("UnknownInterface", message) }
  /// The interface does not have the method.
  public static func unknownMethod(_ message: String) -> DBusError { standard("UnknownMethod", message) }
  /// The interface does not have the property.
  public static func unknownProperty(_ message: String) -> DBusError { standard("UnknownProperty", message) }
  /// The property cannot be set.
  public static func propertyReadOnly(_ message: String) -> DBusError { standard("PropertyReadOnly", message) }
  /// The arguments are of the wrong types or make no sense.
  public static func invalidArgs(_ message: String) -> DBusError { standard("InvalidArgs", message) }
  /// A limit would be exceeded.
  public static func limitsExceeded(_ message: String) -> DBusError { standard("LimitsExceeded", message) }
  /// The caller may not do this.
  public static func accessDenied(_ message: String) -> DBusError { standard("AccessDenied", message) }
  /// The operation is known, but not possible here.
  public static func notSupported(_ message: String) -> DBusError { standard("NotSupported", message) }
  /// No answer came in time, or the callee left the bus.
  public static func noReply(_ message: String) -> DBusError { standard("NoReply", message) }
  /// Nobody owns the bus name, and nobody could be started for it.
  public static func serviceUnknown(_ message: String) -> DBusError { standard("ServiceUnknown", message) }
  /// Nobody owns the bus name.
  public static func nameHasNoOwner(_ message: String) -> DBusError { standard("NameHasNoOwner", message) }
  /// The connection is closed.
  public static func disconnected(_ message: String) -> DBusError { standard("Disconnected", message) }
}
