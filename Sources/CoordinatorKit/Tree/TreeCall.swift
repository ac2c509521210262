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

  /// The coordinator that it names, if any.
  public var coordinator: CoordinatorPath? {
    switch self {
    case .delegate(let path, _, _, _, _), .dismiss(let path, _), .startChild(let path, _, _, _): path
    case .back: nil
    }
  }

  /// The same call with the values of some fields of its payload left out, and `seen`, which says nothing of what is wanted.
  func redacting(_ fields: Set<String>) -> TreeCall {
    guard case .delegate(let path, let screen, let event, var payload, _) = self else { return self }
    for field in fields where payload[field] != nil { payload[field] = .null }
    return .delegate(path, screen: screen, event: event, payload: payload, seen: nil)
  }
}
