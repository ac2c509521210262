import Languages

/// The remark beside a field in which another person has typed.
public enum DraftMark: Sendable, Hashable {
  /// The field contains text that was typed in another place; nil if the place is unknown.
  case typed(in: String?)
  /// The field contains text that was typed before this renderer was attached.
  case typedBefore
  /// Another place contains a different text for the field.
  case differs(in: String?, text: String)

  /// The words of the remark.
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
