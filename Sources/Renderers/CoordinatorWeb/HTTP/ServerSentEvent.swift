import CoordinatorKit

/// Something that happened, told to a page that listens.
public struct ServerSentEvent: Sendable, Hashable {
  /// What happened.
  public var name: String
  /// What goes with it.
  public var data: JSONValue

  /// An event.
  public init(_ name: String, _ data: JSONValue = [:]) {
    self.name = name
    self.data = data
  }

  /// The event as it is sent. JSON has no line breaks outside of texts, and none unescaped within.
  public var bytes: [UInt8] { Array("event: \(name)\ndata: \(data.canonicalText)\n\n".utf8) }
}
