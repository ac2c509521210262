import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

extension JSONValue {
  /// Encodes a screen with the keys of the contract.
  public init(_ presented: PresentedScreen) {
    let screen = presented.screen
    var object: [String: JSONValue] = [
      "id": JSONValue(count: presented.id),
      "coordinator": .string(presented.coordinator.string),
      "style": .string(presented.style.rawValue),
      "layer": .integer(Int64(presented.layer)),
      "back": .boolean(presented.back),
      "name": .string(screen.name),
      "kind": .string(screen.kind.rawValue),
      "title": .string(screen.title),
      "body": .string(screen.body),
      "actions": .array(
        screen.actions.map {
          ["id": .string($0.id), "title": .string($0.title), "role": .string($0.role.rawValue)]
        }),
    ]
    object["items"] = screen.items.map { .array($0.map(JSONValue.init)) }
    object["schema"] = screen.form?.schema.json
    object["fields"] = screen.form.map { .array($0.order.map(JSONValue.string)) }
    object["values"] = screen.values.isEmpty ? nil : .object(screen.values)
    object["messages"] = screen.messages.isEmpty ? nil : .array(screen.messages.map(JSONValue.init))
    object["progress"] = screen.progress.map(JSONValue.init)
    object["draft"] = presented.draft.isEmpty ? nil : .object(presented.draft)
    object["accent"] = screen.accent.map(JSONValue.string)
    self = .object(object)
  }

  /// Encodes a window: its revision, the id of its top screen (0 if there is none), its screens, bottom first, and the
  /// reason why its tree is held, if it is.
  public init(_ window: MirroredWindow) {
    var object: [String: JSONValue] = [
      "revision": JSONValue(count: window.revision),
      "top": JSONValue(count: window.top?.id ?? 0),
      "screens": .array(window.screens.map(JSONValue.init)),
    ]
    object["held"] = window.held.map(JSONValue.string)
    self = .object(object)
  }

  /// Encodes the progress of work.
  init(_ progress: CoordinatorKit.Progress) {
    var object: [String: JSONValue] = [:]
    object["fraction"] = progress.fraction.map { JSONValue($0) }
    object["text"] = progress.text.map(JSONValue.string)
    self = .object(object)
  }

  /// Encodes the end of a flow.
  public init(_ end: FlowEnd) {
    self = ["outcome": .string(end.name), "result": .object(end.result)]
  }

  /// Encodes an event of a window mirror, whose kind is in `event`.
  public init(_ event: WindowEvent) {
    switch event {
    case .window(let window): self = Self.event("window", JSONValue(window))
    case .progress(let screen, let progress):
      self = ["event": "progress", "screen": JSONValue(count: screen), "progress": JSONValue(progress)]
    case .drafted(let screen, let draft):
      self = ["event": "drafted", "screen": JSONValue(count: screen), "draft": .object(draft)]
    case .answered(let answer):
      self = [
        "event": "answered", "screen": JSONValue(count: answer.screen), "action": .string(answer.event),
        "kind": .string(answer.kind), "client": .string(answer.client),
      ]
    case .daemonLost: self = ["event": "daemon-lost"]
    case .daemonBack: self = ["event": "daemon-back"]
    case .ended(let end): self = Self.event("ended", JSONValue(end))
    }
  }

  /// Encodes an unsigned number of the bus. A number that is too large becomes the largest signed 64-bit integer.
  init(count: UInt64) { self = .integer(Int64(clamping: count)) }

  private static func event(_ name: String, _ json: JSONValue) -> JSONValue {
    var object = json.object ?? [:]
    object["event"] = .string(name)
    return .object(object)
  }

  private init(_ item: Item) {
    var object: [String: JSONValue] = ["id": .string(item.id), "title": .string(item.title)]
    object["subtitle"] = item.subtitle.map(JSONValue.string)
    self = .object(object)
  }

  private init(_ message: ScreenMessage) {
    var object: [String: JSONValue] = [
      "level": .string(message.level.rawValue), "code": .string(message.code), "text": .string(message.text),
    ]
    object["field"] = message.field.map(JSONValue.string)
    self = .object(object)
  }
}
