import CoordinatorKit
import CoordinatorScripts
import Forms

/// What a user has done on a question, so that it can be done again.
struct PlayedMove: Sendable {
  enum Kind: Sendable {
    case event(String, payload: [String: JSONValue], secrets: [String: Secret])
    case back
  }

  /// The coordinator, and the key of the question.
  let place: String
  let key: String
  /// What was shown.
  let shown: JSONValue
  let kind: Kind

  /// The event that a script hears.
  var event: FlowQuestion.Event {
    switch kind {
    case .event(let name, let payload, let secrets):
      .event(name: name, key: key, payload: payload, secrets: secrets.keys.sorted())
    case .back: .back(key: key)
    }
  }

  /// The secrets that come with it.
  var secrets: [String: Secret] { if case .event(_, _, let secrets) = kind { secrets } else { [:] } }
}

extension PlayedTree {
  /// The question that is open, by its coordinator and its key; nil if none is.
  var question: (flow: Int, place: String, key: String, screen: DescribedScreen)? {
    guard case .question(let flow, let key) = pending, let screen = flows[flow].contents[key] else { return nil }
    return (flow, "\(flows[flow].instance.path)/\(key)", key, screen)
  }
}

extension DescribedScreen {
  /// What is shown, without what differs after Back and after a crash: suggestions and the messages of the engine.
  var comparable: JSONValue {
    var screen = content
    (screen.suggested, screen.values, screen.until) = (nil, [:], nil)
    screen.choosing?.initial = []
    screen.messages.removeAll { ["secret-lost", "undo-failed"].contains($0.code) }
    return .object((try? screen.json) ?? [:])
  }
}
