import CoordinatorClient
import Languages

extension WindowEvent {
  /// The language of the window that the event brings; nil of any other event.
  public var language: LanguageTag? {
    switch self {
    case .window(let window): window.language
    case .language(let language): language
    default: nil
    }
  }
}
