import CoordinatorKit
import CoordinatorTestKit
import Forms

/// What a user has done on a question, so that it can be done again.
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
