import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

extension JSONValue {
  /// A screen in the keys of the contract; the path of its coordinator is a string.
  public init(_ presented: PresentedScreen) {
    var vardict = presented.sayableVardict()
    vardict[ScreenKey.id.rawValue] = .int64(Int64(clamping: presented.id))
    vardict[ScreenKey.coordinator.rawValue] = .string(presented.coordinator.string)
    let json = try? JSONValue(value: .vardict(vardict), depthLimit: Contract.maximumDepth * 2)
    // A screen that came over the bus always has a JSON counterpart.
    self = json ?? ["id": JSONValue(count: presented.id), "name": .string(presented.screen.name)]
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
    case .typing(let screen, let participant):
      self = ["event": "typing", "screen": JSONValue(count: screen), "by": JSONValue(participant)]
    case .participants(let participants):
      self = ["event": "participants", "participants": .array(participants.map { JSONValue($0) })]
    case .language(let language): self = ["event": "language", "language": .string(language.bcp47)]
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

  /// Encodes a renderer that is attached.
  init(_ participant: Participant) {
    var object: [String: JSONValue] = ["client": .string(participant.client), "kind": .string(participant.kind)]
    if !participant.name.isEmpty { object["name"] = .string(participant.name) }
    object["people"] = participant.people.map { .array($0.map(JSONValue.string)) }
    self = .object(object)
  }

  /// Returns an object with an additional member; returns any other value unchanged.
  func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var object) = self else { return self }
    object[name] = value
    return .object(object)
  }

  /// Encodes an unsigned number of the bus. A number that is too large becomes the largest signed 64-bit integer.
  init(count: UInt64) { self = .integer(Int64(clamping: count)) }

  private static func event(_ name: String, _ json: JSONValue) -> JSONValue {
    var object = json.object ?? [:]
    object["event"] = .string(name)
    return .object(object)
  }
}
