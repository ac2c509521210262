import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

/// A way through a script, as far as it was walked.
struct ScriptPath: Sendable {
  var tree: PlayedTree
  /// The node that it has left.
  var node: ExploredFlow.Node
  /// The question and answers on it, for people.
  var words: [String] = []
}

/// Something that can happen on a way.
struct PathChoice: Sendable {
  /// What happens.
  enum Kind: Sendable {
    case event(FlowQuestion.Event, secrets: [String: Secret] = [:])
    case childEnded(PlayedChild, Outcome)
    case playChild(PlayedChild)
    /// The work is really done.
    case perform(PlayedWork)
    /// The command that stands for it is executed.
    case stub(PlayedWork)
    case fire(key: String, due: UInt64)
  }

  /// The coordinator that it is about.
  let flow: Int
  /// Where it happens.
  let node: ExploredFlow.Node
  /// For people; "" for what happens by itself.
  let label: String
  let kind: Kind
}

extension PlayedTree {
  /// The node at which the flow waits; nil if it runs on by itself.
  var node: ExploredFlow.Node? {
    switch pending {
    case .question(let flow, let key): .init(kind: .question, name: named(LogEntry(key, .patch).name, in: flow))
    case .work(let flow, let work):
      flows[flow].entry(of: work).map { entry in
        .init(kind: entry.step?.isLook == true ? .look : .step, name: named(entry.name, in: flow))
      }
    case .child(let flow, let child): .init(kind: .child, name: named(child.name, in: flow))
    case .timer(let flow, let key, _): .init(kind: .timer, name: named(LogEntry(key, .patch).name, in: flow))
    case .nothing: nil
    case .ended(.failed(let failure)): .init(kind: .end, name: "failed \(failure.code)")
    case .ended(let outcome): .init(kind: .end, name: outcome.name)
    }
  }

  /// The name of an operation; of a child, after the name of its flow.
  private func named(_ name: String, in flow: Int) -> String { flow == 0 ? name : "\(flows[flow].script.name)/\(name)" }

  /// The same for two flows in which the same has happened.
  var identity: String {
    flows.map { flow in
      guard var log = flow.log else { return flow.state }
      log.works = 0
      for index in log.entries.indices {
        log.entries[index].changeStep { step in
          (step.work, step.attempts) = (nil, min(step.attempts, 1))
        }
      }
      return log.text
    }.joined(separator: "\n")
  }
}

extension LogEntry {
  /// How often the name was used, with this time.
  static func use(of key: String) -> Int { key.bytes.cut(at: "#").flatMap { Int($0.after) } ?? 1 }
}
