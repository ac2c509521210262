import Platform

/// A D-Bus error: the answer to a method call that failed.
///
/// Source: D-Bus Specification, "Errors"; the names of the standard errors are those of libdbus's `dbus-protocol.h`.
public struct DBusError: Error, Sendable, Hashable {
  /// The prefix of the standard names, including the trailing dot.
  public static let standardPrefix = "org.freedesktop.DBus.Error."

  /// The error name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
  public var name: String
  /// The message for people, which is the first argument.
  public var message: String
  /// The arguments after the message; almost always empty.
  public var extra: [Value]
  /// Whether the bus itself has answered the call instead of the callee, because the callee has left the bus, cannot be
  /// started, or must not be called. The name of an error does not prove its origin, because a callee may send any name. False
  /// for an error that was not received.
  public internal(set) var isFromBus = false

  /// Creates an error. If `name` is not a valid error name, `org.freedesktop.DBus.Error.Failed` is sent instead.
  public init(name: String, message: String, extra: [Value] = []) {
    self.name = name
    self.message = message
    self.extra = extra
  }

  /// Creates an error from a received message. If the body does not begin with a string, the message is empty and the
  /// entire body is `extra`.
  public init(name: String, body: [Value]) {
    if case .string(let message)? = body.first {
      self.init(name: name, message: message, extra: Array(body.dropFirst()))
    } else {
      self.init(name: name, message: "", extra: body)
    }
  }

  /// The arguments to send: the message, with U+0000 replaced by U+FFFD because the wire format does not allow it, and
  /// `extra`.
  public var body: [Value] {
    let text = message.utf8.contains(0) ? message.bytes.replacing("\0", with: "\u{FFFD}") : message
    return [.string(text)] + extra
  }

  /// The name to send: `name`, or that of `failed(_:)` if `name` is not a valid error name.
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

  /// Returns whether this is the standard error with the given short name, such as `"NoReply"`.
  public func isStandard(_ name: String) -> Bool { self.name == Self.standardPrefix + name }

  /// Returns an error for a failure that has no more specific name.
  public static func failed(_ message: String) -> DBusError { standard("Failed", message) }
  /// Returns the error for a path that has no object.
  public static func unknownObject(_ message: String) -> DBusError { standard("UnknownObject", message) }
  /// Returns the error for an interface that the object does not have.
  public static func unknownInterface(_ message: String) -> DBusError { standard("UnknownInterface", message) }
  /// Returns the error for a method that the interface does not have.
  public static func unknownMethod(_ message: String) -> DBusError { standard("UnknownMethod", message) }
  /// Returns the error for a property that the interface does not have.
  public static func unknownProperty(_ message: String) -> DBusError { standard("UnknownProperty", message) }
  /// Returns the error for a property that cannot be set.
  public static func propertyReadOnly(_ message: String) -> DBusError { standard("PropertyReadOnly", message) }
  /// Returns the error for arguments that have the wrong types or make no sense.
  public static func invalidArgs(_ message: String) -> DBusError { standard("InvalidArgs", message) }
  /// Returns the error for exceeding a limit.
  public static func limitsExceeded(_ message: String) -> DBusError { standard("LimitsExceeded", message) }
  /// Returns the error for something that the caller is not permitted to do.
  public static func accessDenied(_ message: String) -> DBusError { standard("AccessDenied", message) }
  /// Returns the error for an operation that is known, but not supported here.
  public static func notSupported(_ message: String) -> DBusError { standard("NotSupported", message) }
  /// Returns the error for an answer that did not arrive in time, or a callee that left the bus.
  public static func noReply(_ message: String) -> DBusError { standard("NoReply", message) }
  /// Returns the error for a bus name that has no owner and no service that could be started.
  public static func serviceUnknown(_ message: String) -> DBusError { standard("ServiceUnknown", message) }
  /// Returns the error for a bus name that has no owner.
  public static func nameHasNoOwner(_ message: String) -> DBusError { standard("NameHasNoOwner", message) }
  /// Returns the error for a closed connection.
  public static func disconnected(_ message: String) -> DBusError { standard("Disconnected", message) }
}

/// A failure between this process and the bus, as opposed to a ``DBusError``, which is an answer.
public enum ConnectionError: Error, Sendable, Hashable {
  /// The bus could not be reached at the given address, for the given reason.
  case cannotConnect(address: String, reason: String)
  /// The connection has been closed, by this process or by the bus.
  case disconnected
  /// No reply arrived before the deadline. The call may still be carried out.
  case timedOut
  /// The reply cannot be decoded: it is nested too deeply, too large, contains a Unix file descriptor, or does not have
  /// the expected type.
  case unreadableReply(String)
}

extension ConnectionError: CustomStringConvertible {
  /// The error on one line, for people.
  public var description: String {
    switch self {
    case .cannotConnect(let address, let reason): "cannot connect to the bus at \(address): \(reason)"
    case .disconnected: "the connection to the bus is closed"
    case .timedOut: "no reply was received in time"
    case .unreadableReply(let reason): "the reply cannot be read: \(reason)"
    }
  }
}
