import Languages

/// What is said beside a field in which somebody else has typed.
public enum DraftMark: Sendable, Hashable {
  /// The field contains what was typed in another place; nil if it is not known where.
  case typed(in: String?)
  /// The field contains what was typed before this renderer was there.
  case typedBefore
  /// Something else was typed in that place than here.
  case differs(in: String?, text: String)

  /// The words.
  public var text: String {
    switch self {
    case .typed(let place?): Text("Typed in another place: {place}", ["place": place]).string
    case .typed(nil): Text("Typed in another place").string
    case .typedBefore: Text("Typed before this window was opened").string
    case .differs(let place?, let text):
      Text("Typed in another place ({place}) instead: {text}", ["place": place, "text": text]).string
    case .differs(nil, let text): Text("Typed in another place instead: {text}", ["text": text]).string
    }
  }
}
