import CoordinatorKit
import Foundation

/// A message that went over the bus, as `busctl --json=short monitor` tells it.
public struct ObservedMessage: Decodable, Sendable {
  /// What kind of message it is: "method_call", "method_return", "error", "signal".
  public var type: String
  /// Its number, by its sender.
  public var cookie: UInt64
  /// The number of the call that it answers.
  public var replyCookie: UInt64?
  /// Who sent it.
  public var sender: String?
  /// Whom it is for.
  public var destination: String?
  /// The object that is called, or that tells something.
  public var path: String?
  /// Its interface.
  public var interface: String?
  /// The method or signal.
  public var member: String?
  /// The name of an error.
  public var errorName: String?
  /// The arguments, as far as they were read.
  public var payload: Payload?

  /// The arguments of a message.
  public struct Payload: Decodable, Sendable {
    /// In the order of the signature; the value of a variant is an object of `type` and `data`.
    public var data: [JSONValue]?
  }

  private enum CodingKeys: String, CodingKey {
    case type, cookie, sender, destination, path, interface, member, payload
    case replyCookie = "reply_cookie"
    case errorName = "error_name"
  }

  /// Reads a line; nil for one that is no message.
  public init?(line: String) {
    guard let message = try? JSONDecoder().decode(ObservedMessage.self, from: Data(line.utf8)) else { return nil }
    self = message
  }

  /// An argument; nil if there is none.
  public func argument(_ index: Int) -> JSONValue? {
    guard let data = payload?.data, data.indices.contains(index) else { return nil }
    return data[index]
  }
}
