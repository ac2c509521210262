import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import Platform
import ScriptEngine

extension TreeState {
  /// The same for two states in which the same has happened.
  var scriptKey: String {
    coordinatorsInOrder.map { record in
      guard var log = record.log else { return record.providedState ?? "" }
      log.works = 0
      for index in log.entries.indices {
        log.entries[index].changeStep { step in
          (step.work, step.attempts) = (nil, min(step.attempts, 1))
        }
      }
      return "\(record.flow) \(log.text)"
    }.joined(separator: "\n")
  }

  /// The node at which the flow waits; nil if it runs on by itself.
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
  /// Whether the question is over after some time.
  var isTimed: Bool { coordinator.log?.entries.last { $0.key == key }?.ask?.due != nil }

  /// An answer, for people.
  func label(_ action: String, _ payload: [String: JSONValue]) -> String {
    var values = payload
    for secret in shown.content.form?.schema.secretFields ?? [] where values[secret] != nil { values[secret] = "•••" }
    return values.isEmpty ? action : "\(action) \(JSONValue.object(values).canonicalText)"
  }

  /// Whether a form can be sent, but not with values that are known.
  func lacksValues(_ answers: [FlowMove]) -> Bool {
    guard shown.content.form != nil else { return false }
    return shown.content.actions.contains { action in
      action.role == .primary && action.disabled == nil
        && !answers.contains { if case .event(action.id, _) = $0.kind { true } else { false } }
    }
  }
}

extension LogEntry {
  /// How often the name was used, with this time.
  static func use(of key: String) -> Int { key.bytes.cut(at: "#").flatMap { Int($0.after) } ?? 1 }
}
