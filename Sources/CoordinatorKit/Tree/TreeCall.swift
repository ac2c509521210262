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

  /// A digest of what is asked: without the values of some fields of the payload, and without `seen`, which says nothing of what is wanted.
  func digest(without fields: Set<String>) -> Digest {
    switch self {
    case .delegate(let path, let screen, let event, let payload, _):
      let kept = JSONValue.object(payload.filter { !fields.contains($0.key) })
      return Digest(of: "delegate", path.text, screen?.description ?? "", event, kept.canonicalText)
    case .back(let screen):
      return Digest(of: "back", screen.description)
    case .dismiss(let path, let isAnimated):
      return Digest(of: "dismiss", path.text, isAnimated.description)
    case .startChild(let path, let flow, let input, let router):
      return Digest(of: "start-child", path.text, flow, JSONValue.object(input).canonicalText, router.rawValue)
    case .saveDraft(let screen, let values):
      return Digest(of: "save-draft", screen.description, JSONValue.object(values).canonicalText)
    }
  }
}
