/// A call that a client can make to a flow tree.
public enum TreeCall: Sendable, Hashable {
  /// Delivers an event: what a user did on a screen or, without a screen, an event from a script or hardware button.
  ///
  /// `seen` is the revision that the user saw, if the client sent it.
  case delegate(CoordinatorPath, screen: ScreenID?, event: String, payload: [String: JSONValue], seen: UInt64?)
  /// Goes back from a screen.
  case back(ScreenID)
  /// Ends a coordinator, its children first.
  case dismiss(CoordinatorPath, animated: Bool)
  /// Starts a child below a coordinator.
  case startChild(CoordinatorPath, flow: String, input: [String: JSONValue], router: RouterKind)

  /// Keeps what the user has typed on a screen but not yet sent, by field: a value, or the text that was typed for one.
  case saveDraft(ScreenID, [String: JSONValue])

  /// The coordinator that the call names, if any.
  public var coordinator: CoordinatorPath? {
    switch self {
    case .delegate(let path, _, _, _, _), .dismiss(let path, _), .startChild(let path, _, _, _): path
    case .back, .saveDraft: nil
    }
  }

  /// Returns a digest of the call that may be stored. It excludes the values of the given fields of the payload, and
  /// `seen`, which does not affect the meaning of the call.
  ///
  /// If the event does not come from a screen, it is unknown which fields of the payload are confidential. Therefore
  /// only their names are included, except in the kind of digest that older versions stored.
  func digest(without fields: Set<String>, as kind: Digest.Kind) -> Digest {
    let texts: [String] =
      switch self {
      case .delegate(let path, nil, let event, let payload, _) where kind != .fnv1a:
        ["delegate", path.text, "", event, JSONValue.array(payload.keys.sorted().map { .string($0) }).canonicalText]
      case .delegate(let path, let screen, let event, let payload, _):
        [
          "delegate", path.text, screen?.description ?? "", event,
          JSONValue.object(payload.filter { !fields.contains($0.key) }).canonicalText,
        ]
      case .back(let screen): ["back", screen.description]
      case .dismiss(let path, let isAnimated): ["dismiss", path.text, isAnimated.description]
      case .startChild(let path, let flow, let input, let router):
        ["start-child", path.text, flow, JSONValue.object(input).canonicalText, router.rawValue]
      case .saveDraft(let screen, let values): ["save-draft", screen.description, JSONValue.object(values).canonicalText]
      }
    return Digest(of: texts, as: kind)
  }

  /// A digest of the values that ``digest(without:as:)`` excludes because they may be confidential. Must not be stored.
  var digestOfUnknown: Digest? {
    guard case .delegate(_, nil, _, let payload, _) = self else { return nil }
    return Digest(of: JSONValue.object(payload).canonicalText)
  }
}
