/// What a client may ask of a flow tree.
public enum TreeCall: Sendable, Hashable {
  /// A screen hands over what its user did; without a screen the event comes from a script or a button.
  ///
  /// `seen` is the revision that the user was looking at, if the client told it.
  case delegate(CoordinatorPath, screen: ScreenID?, event: String, payload: [String: JSONValue], seen: UInt64?)
  /// The user left a screen by going back.
  case back(ScreenID)
  /// End a coordinator, its children first.
  case dismiss(CoordinatorPath, animated: Bool)
  /// Start a child below a coordinator.
  case startChild(CoordinatorPath, flow: String, input: [String: JSONValue], router: RouterKind)

  /// Keep what was typed on a screen and not sent yet: by field, a value or the text of one.
  case saveDraft(ScreenID, [String: JSONValue])

  /// The coordinator that it names, if any.
  public var coordinator: CoordinatorPath? {
    switch self {
    case .delegate(let path, _, _, _, _), .dismiss(let path, _), .startChild(let path, _, _, _): path
    case .back, .saveDraft: nil
    }
  }

  /// A digest of what is asked, fit to be stored: without the values of some fields of the payload, and without `seen`, which says nothing of
  /// what is wanted.
  ///
  /// Of a payload without a screen nobody knows which of its fields are confidential: only their names count, but for the kind that older
  /// versions have stored.
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

  /// A digest of the values that ``digest(without:as:)`` leaves out because nobody knows which are confidential; never to be stored.
  var digestOfUnknown: Digest? {
    guard case .delegate(_, nil, _, let payload, _) = self else { return nil }
    return Digest(of: JSONValue.object(payload).canonicalText)
  }
}
