import CoordinatorKit

extension ServerSentEvent {
  /// Returns the event for a changed draft of a screen.
  static func drafted(on screen: UInt64, by page: String) -> ServerSentEvent {
    ServerSentEvent("drafted", ["screen": .integer(Int64(clamping: screen)), "page": .string(page)])
  }

  /// Returns the event for a changed progress of a screen.
  static func progress(_ progress: CoordinatorKit.Progress, on screen: UInt64) -> ServerSentEvent {
    var data: [String: JSONValue] = ["screen": .integer(Int64(clamping: screen))]
    data["fraction"] = progress.fraction.map { JSONValue($0) }
    data["text"] = progress.text.map { .string($0) }
    return ServerSentEvent("progress", .object(data))
  }
}
