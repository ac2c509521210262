import CoordinatorKit

/// An event for a page that listens (HTML standard, "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
  /// The name of the event.
  public var name: String
  /// The data of the event.
  public var data: JSONValue

  /// Creates an event.
  public init(_ name: String, _ data: JSONValue = [:]) {
    self.name = name
    self.data = data
  }

  /// The encoded event. Canonical JSON contains no line breaks, so the data fits in one line.
  public var bytes: [UInt8] { Array("event: \(name)\ndata: \(data.canonicalText)\n\n".utf8) }
}
