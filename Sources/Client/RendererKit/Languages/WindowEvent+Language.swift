import CoordinatorClient
import Languages

extension WindowEvent {
  /// The language of the window that the event contains; nil for any other event.
  public var language: LanguageTag? {
    switch self {
    case .window(let window): window.language
    case .language(let language): language
    default: nil
    }
  }
}
