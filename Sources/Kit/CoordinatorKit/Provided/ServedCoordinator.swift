/// A coordinator of a served flow, between two questions.
struct ServedCoordinator<C: Coordinator>: Sendable {
  typealias Text = ServedText<C.State, C.Route, C.Work, C.Timer>
  private typealias OldText = ServedText<JSONValue, JSONValue, JSONValue, JSONValue>

  var state = C.State()
  var routes: [ScreenID: C.Route] = [:]
  var work: [WorkRecord] = []
  var lastWork: UInt64 = 0
  var timers: [TimerRecord] = []
  var lastChild: UInt64 = 0
  /// The input, if a migration has changed it.
  var input: [String: JSONValue]?
  /// The daemon's data on the screens; empty if unknown.
  var shown: [ScreenID: ShownScreen] = [:]

  /// Creates a coordinator that has not been started.
  init() {}

  /// Decodes a coordinator from its stored text, and migrates it if an older version wrote the text.
  ///
  /// - Parameters:
  ///   - kept: the text.
  ///   - input: the input that the coordinator was started with.
  /// - Throws: `ProviderTrouble` if the text does not belong to this flow; otherwise the errors of decoding and migrating.
  init(_ kept: String, input: [String: JSONValue]) throws {
    guard !kept.isEmpty else {
      self.init()
      return
    }
    let known = try VersionedText(kept)
    if known.version == C.flow.version {
      self.init(try StoredText.decode(Text.self, from: known.text))
    } else {
      self.init(try Self.migrated(known, input: input))
    }
  }

  private init(_ text: Text) {
    state = text.state
    for screen in text.screens ?? [] { routes[ScreenID(screen.n)] = screen.r }
    work = (text.work ?? []).map {
      WorkRecord(id: WorkID(number: $0.n), work: $0.w, key: $0.k, screen: nil, tookSecrets: $0.x ?? false)
    }
    lastWork = text.lastWork ?? 0
    timers = (text.timers ?? []).map { TimerRecord(timer: $0.t, due: Timestamp(microseconds: $0.d)) }
    lastChild = text.lastChild ?? 0
    input = text.input
  }

  /// Creates the coordinator as it is after a handler.
  init(_ record: CoordinatorRecord, in tree: TreeState, input: [String: JSONValue]?) {
    state = record.state as? C.State ?? C.State()
    for screen in tree.window.screens where screen.coordinator == record.path {
      routes[screen.id] = screen.route as? C.Route
      shown[screen.id] = screen
    }
    work = record.work
    lastWork = tree.lastWork
    timers = record.belongings.timers
    lastChild = record.lastChild
    self.input = input
  }

  /// Returns the text to store.
  ///
  /// - Parameters:
  ///   - turn: the number of the question that is answered.
  ///   - texts: the known texts of routes.
  /// - Returns: the text.
  /// - Throws: `EncodingError` if a part cannot be represented in JSON.
  func text(turn: UInt64, routes texts: RouteTexts<C.Route>) throws -> String {
    VersionedText(version: C.flow.version, try plainText(turn: turn, texts) ?? fullText(turn: turn)).kept
  }

  /// Returns the text of a coordinator that has only a state and screens; nil if it has more. Most have no more, and encoding a
  /// text with many parts takes longer than all other steps of an answer.
  private func plainText(turn: UInt64, _ texts: RouteTexts<C.Route>) throws -> String? {
    guard work.isEmpty, timers.isEmpty, input == nil else { return nil }
    var text = "{"
    if lastChild > 0 { text += "\"c\":\(lastChild)," }
    if lastWork > 0 { text += "\"l\":\(lastWork)," }
    text += "\"n\":\(turn),"
    if !routes.isEmpty {
      let screens = try routes.sorted { $0.key < $1.key }.map { "{\"n\":\($0.number),\"r\":\(try texts.text(of: $1))}" }
      text += "\"r\":[\(screens.joined(separator: ","))],"
    }
    return text + "\"s\":\(try StoredText.encode(state))}"
  }

  private func fullText(turn: UInt64) throws -> String {
    let text = Text(
      turn: turn, state: state,
      screens: routes.isEmpty ? nil : routes.sorted { $0.key < $1.key }.map { Text.Screen(n: $0.key.number, r: $0.value) },
      work: work.isEmpty
        ? nil
        : work.compactMap { record in
          (record.work as? C.Work).map {
            Text.Work_(n: record.id.number, w: $0, k: record.key, x: record.tookSecrets ? true : nil)
          }
        },
      lastWork: lastWork == 0 ? nil : lastWork,
      timers: timers.isEmpty
        ? nil
        : timers.compactMap { record in
          (record.timer as? C.Timer).map { Text.Timer_(t: $0, d: record.due.microseconds) }
        },
      lastChild: lastChild == 0 ? nil : lastChild, input: input)
    return try StoredText.encode(text)
  }

  private static func migrated(_ known: VersionedText, input: [String: JSONValue]) throws -> Text {
    guard known.version < C.flow.version else {
      throw ProviderTrouble.failed(
        "version \(known.version) of the flow \(C.flow.name) has written the state, but this is version \(C.flow.version)")
    }
    let old = try StoredText.decode(OldText.self, from: known.text)
    let (screens, work, timers) = (old.screens ?? [], old.work ?? [], old.timers ?? [])
    var flow = StoredFlow(
      input: .object(old.input ?? input), state: old.state, routes: screens.map(\.r), work: work.map(\.w), timers: timers.map(\.t)
    )
    try C.migrate(&flow, from: known.version)
    guard flow.routes.count == screens.count, flow.work.count == work.count, flow.timers.count == timers.count else {
      throw RestoringError.wrongNumber(C.flow.name)
    }
    return Text(
      turn: old.turn, state: try flow.state.decoded(as: C.State.self),
      screens: try zip(screens, flow.routes).map { Text.Screen(n: $0.n, r: try $1.decoded(as: C.Route.self)) },
      work: try zip(work, flow.work).map { Text.Work_(n: $0.n, w: try $1.decoded(as: C.Work.self), k: $0.k, x: $0.x) },
      lastWork: old.lastWork,
      timers: try zip(timers, flow.timers).map { Text.Timer_(t: try $1.decoded(as: C.Timer.self), d: $0.d) },
      lastChild: old.lastChild, input: flow.input.object == old.input ?? input ? old.input : flow.input.object)
  }
}

/// The text that a process stores in the daemon for each coordinator of a flow that it serves: everything that the daemon does
/// not send with each question.
struct ServedText<State: Codable, Route: Codable, Work: Codable, Timer: Codable>: Codable {
  struct Screen: Codable {
    var n: UInt64
    var r: Route
  }

  struct Work_: Codable {
    var n: UInt64
    var w: Work
    var k: WorkKey?
    /// Whether the work took secrets.
    var x: Bool?
  }

  struct Timer_: Codable {
    var t: Timer
    var d: UInt64
  }

  /// The number of the question whose answer has this text. Distinguishes otherwise equal answers.
  var turn: UInt64
  var state: State
  var screens: [Screen]?
  var work: [Work_]?
  var lastWork: UInt64?
  var timers: [Timer_]?
  var lastChild: UInt64?
  /// The input, if a migration has changed it.
  var input: [String: JSONValue]?

  enum CodingKeys: String, CodingKey {
    case turn = "n"
    case state = "s"
    case screens = "r"
    case work = "w"
    case lastWork = "l"
    case timers = "t"
    case lastChild = "c"
    case input = "i"
  }
}

/// A text that a version of a flow has written.
struct VersionedText {
  let version: Int
  let text: String

  init(version: Int, _ text: String) { (self.version, self.text) = (version, text) }

  /// Reads a stored text.
  init(_ kept: String) throws(ProviderTrouble) {
    guard let colon = kept.utf8.firstIndex(of: UInt8(ascii: ":")), let version = Int(kept[..<colon]) else {
      throw .failed("the state was not written by the library CoordinatorProvider")
    }
    self.init(version: version, String(kept[kept.utf8.index(after: colon)...]))
  }

  /// The text in the form in which it is stored.
  var kept: String { "\(version):\(text)" }
}

/// The parts of a coordinator of a provided flow whose provider is a Swift program, for tests that compare it with a
/// coordinator of a built-in flow.
package struct ServedParts: Sendable {
  package let state: JSONValue
  package let work: [JSONValue]
  package let routes: [ScreenID: JSONValue]

  /// Reads the parts of a coordinator; nil if its provider is not a Swift program, or its flow is built in.
  package init?(_ record: CoordinatorRecord) {
    guard let state = record.state as? ProvidedCoordinator.State, let known = try? VersionedText(state.text),
      let text = try? StoredText.decode(ServedText<JSONValue, JSONValue, JSONValue, JSONValue>.self, from: known.text)
    else { return nil }
    self.state = text.state
    work = (text.work ?? []).map(\.w)
    routes = Dictionary((text.screens ?? []).map { (ScreenID($0.n), $0.r) }, uniquingKeysWith: { $1 })
  }
}
