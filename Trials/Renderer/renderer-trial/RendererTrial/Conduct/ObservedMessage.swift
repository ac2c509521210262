import CoordinatorKit
import Foundation

/// A message on the bus, as printed by `busctl --json=short monitor`.
public struct ObservedMessage: Decodable, Sendable {
  /// The type of the message: "method_call", "method_return", "error" or "signal".
  public var type: String
  /// The serial number of the message, assigned by its sender.
  public var cookie: UInt64
  /// The serial number of the call that the message answers.
  public var replyCookie: UInt64?
  /// The unique name of the sender.
  public var sender: String?
  /// The bus name of the destination.
  public var destination: String?
  /// The path of the object that is called or that emits a signal.
  public var path: String?
  /// The interface of the method or signal.
  public var interface: String?
  /// The name of the method or signal.
  public var member: String?
  /// The name of the error.
  public var errorName: String?
  /// The arguments.
  public var payload: Payload?

  /// The arguments of a message.
  public struct Payload: Decodable, Sendable {
    /// The arguments in the order of the signature. The value of a variant is an object with `type` and `data`.
    public var data: [JSONValue]?
  }

  private enum CodingKeys: String, CodingKey {
    case type, cookie, sender, destination, path, interface, member, payload
    case replyCookie = "reply_cookie"
    case errorName = "error_name"
  }

  /// Parses a line; returns nil if it is not a message.
  public init?(line: String) {
    guard let message = try? JSONDecoder().decode(ObservedMessage.self, from: Data(line.utf8)) else { return nil }
    self = message
  }

  /// Returns an argument; nil if there is none at the index.
  public func argument(_ index: Int) -> JSONValue? {
    guard let data = payload?.data, data.indices.contains(index) else { return nil }
    return data[index]
  }
}
