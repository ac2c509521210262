import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import Platform
import ScriptEngine

/// A question of a script that awaits an answer.
struct PlayedQuestion {
  /// The coordinator that asks it.
  let coordinator: CoordinatorRecord
  /// The key of the question in the log of that coordinator.
  let key: String
  let shown: ShownScreen

  /// Finds the open question; nil if there is none, or if work has to be performed first.
  init?(_ state: TreeState) {
    guard state.ordered.isEmpty, let shown = state.window.top, shown.content.progress == nil,
      let coordinator = state.coordinators[shown.coordinator], let log = coordinator.log, let key = log.shownQuestion,
      log.entries.last(where: { $0.key == key })?.isOpen == true
    else { return nil }
    (self.coordinator, self.key, self.shown) = (coordinator, key, shown)
  }

  /// Where it is asked.
  var place: String { "\(coordinator.path)/\(key)" }

  /// Where it is in its script; nil if unknown.
  func place(in script: Script?) -> ExploredProblem.Place? {
    let entry = coordinator.log?.entries.last { $0.key.bytes.equals(key) }
    return entry.flatMap { ExploredProblem.Place($0.place) ?? script?.places(of: $0.name).first }
  }

  /// The screen without the parts that differ after Back and after a crash: suggestions, the messages of the engine, and the
  /// numbers of screens under review.
  var comparable: JSONValue {
    var screen = shown.content
    (screen.suggested, screen.values, screen.until) = (nil, [:], nil)
    screen.choosing?.initial = []
    screen.messages.removeAll { ["secret-lost", "undo-failed"].contains($0.code) }
    for index in screen.review.indices where screen.review[index].screen != nil { screen.review[index].screen = ScreenID(1) }
    return .object((try? screen.json) ?? [:])
  }
}

extension TreeState {
  /// The running work with its owners: that of the innermost coordinators first.
  var ordered: [(owner: CoordinatorRecord, id: WorkID, work: ProvidedWork)] {
    coordinatorsInOrder.reversed().flatMap { owner in
      owner.work.compactMap { record in (record.work as? ProvidedWork).map { (owner, record.id, $0) } }
    }
  }

  /// The reason why a coordinator is held; nil if none is.
  var holdReason: String? { holds.lazy.compactMap { hold(of: $0) }.first }
}

extension CoordinatorRecord {
  /// The log of a script; nil for anything else.
  var log: ScriptLog? { providedState.flatMap { ScriptLog(text: $0) } }

  /// The coordinator as its script knows it.
  var instance: FlowInstance { FlowInstance(flow: flow, path: path, startedAt: startedAt) }
}

/// A user's answer to a question, which can be repeated.
struct PlayedMove: Sendable {
  enum Act: Sendable {
    case event(String, [String: JSONValue], secrets: [String: Secret])
    case back
  }

  /// The coordinator, and the key of the question.
  let place: String
  let key: String
  /// What was shown.
  let shown: JSONValue
  private let act: Act

  init(_ act: Act, on question: PlayedQuestion) {
    (place, key, shown, self.act) = (question.place, question.key, question.comparable, act)
  }

  var isBack: Bool { if case .back = act { true } else { false } }

  /// The move as a user makes it.
  var kind: FlowMove.Kind {
    switch act {
    case .back: .back
    case .event(let name, let values, let secrets):
      .event(name, payload: values.merging(secrets.mapValues { $0.withString { .string($0) } }) { $1 })
    }
  }

  /// The question and its answer, for people.
  var line: String {
    let title = shown["title"]?.string ?? ""
    guard case .event(let name, let payload, let secrets) = act else { return "\(key) \"\(title)\" ▸ Back" }
    let values = payload.merging(secrets.mapValues { _ in "•••" }) { $1 }
    let chosen = name == Event.select ? (values["id"]?.string ?? values["ids"]?.canonicalText) : nil
    return "\(key) \"\(title)\" ▸ \(chosen ?? (values.isEmpty ? name : "\(name) \(JSONValue.object(values).canonicalText)"))"
  }
}

extension TreeState {
  /// The same for two states that equal histories have led to, whenever they have.
  var scriptKey: String {
    let firstDue = coordinatorsInOrder.flatMap { $0.log?.entries.compactMap(\.openDue) ?? [] }.min() ?? 0
    return coordinatorsInOrder.map { record in
      guard var log = record.log else { return record.providedState ?? "" }
      log.works = 0
      for index in log.entries.indices {
        log.entries[index].countTime(from: firstDue)
        log.entries[index].changeStep { step in
          (step.work, step.attempts) = (nil, min(step.attempts, 1))
        }
      }
      return "\(record.flow) \(log.text)"
    }.joined(separator: "\n")
  }

  /// The same for two states with the same secrets.
  var secretsKey: String {
    coordinatorsInOrder.map { record in
      record.secrets.sorted { $0.key < $1.key }.map { "\($0)=\($1.withString(\.hashValue))" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// The node at which the flow waits; nil if it continues by itself.
  var node: ExploredFlow.Node? {
    if let (owner, _, work) = ordered.first {
      if let name = StandIn.name(in: work.argument) {
        let parent = owner.path.parent.flatMap { coordinators[$0] }
        return .init(kind: .child, name: parent.map { named(name, in: $0) } ?? name)
      }
      return owner.log?.entry(of: work.id).map { entry in
        .init(kind: entry.step?.isLook == true ? .look : .step, name: named(entry.name, in: owner))
      }
    }
    if let question = PlayedQuestion(self) {
      return .init(kind: .question, name: named(LogEntry(question.key, .patch).name, in: question.coordinator))
    }
    let timers = coordinatorsInOrder.flatMap { owner in
      (owner.log?.entries ?? []).compactMap { entry in entry.isOpen ? entry.timer.map { (owner, entry.name, $0.due) } : nil }
    }
    return timers.min { ($0.2, $0.1) < ($1.2, $1.1) }.map { .init(kind: .timer, name: named($0.1, in: $0.0)) }
  }

  /// The name of an operation; of a child, after the name of its flow.
  func named(_ name: String, in owner: CoordinatorRecord) -> String { owner.path == root ? name : "\(owner.flow)/\(name)" }
}

extension ExploredFlow.Node {
  init(_ outcome: Outcome) {
    if case .failed(let failure) = outcome {
      self.init(kind: .end, name: "failed \(failure.code)")
    } else {
      self.init(kind: .end, name: outcome.name)
    }
  }
}

extension PlayedQuestion {
  /// Whether the question has a timeout.
  var isTimed: Bool { coordinator.log?.entries.last { $0.key == key }?.ask?.due != nil }

  /// Describes an answer, for people.
  func label(_ action: String, _ payload: [String: JSONValue]) -> String {
    var values = payload
    for secret in shown.content.form?.schema.secretFields ?? [] where values[secret] != nil { values[secret] = "•••" }
    return values.isEmpty ? action : "\(action) \(JSONValue.object(values).canonicalText)"
  }

  /// Whether a form can be sent, but with none of the known values.
  func lacksValues(_ answers: [FlowMove]) -> Bool {
    guard shown.content.form != nil else { return false }
    return shown.content.actions.contains { action in
      action.role == .primary && action.disabled == nil
        && !answers.contains { if case .event(action.id, _) = $0.kind { true } else { false } }
    }
  }
}

extension LogEntry {
  /// When it ends by itself, in microseconds since 1970; nil if it does not, or is over.
  fileprivate var openDue: UInt64? { isOpen ? ask?.due ?? timer?.due : nil }

  /// Replaces the time at which it ends by the time from another one until then, and that of what is over by zero.
  fileprivate mutating func countTime(from start: UInt64) {
    let due = openDue.map { $0 - start }
    if var ask {
      ask.due = due
      body = .ask(ask)
    } else if var timer {
      timer.due = due ?? 0
      body = .timer(timer)
    }
  }

  /// How often the name was used, with this time.
  static func use(of key: String) -> Int { key.bytes.cut(at: "#").flatMap { Int($0.after) } ?? 1 }
}
