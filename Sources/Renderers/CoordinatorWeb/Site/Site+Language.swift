import CoordinatorClient
import Languages
import RendererKit

/// Selects the languages of browsers.
extension Site {
  /// Returns the language of the words on pages that show no flow tree; nil for English.
  func language(of request: HTTPRequest) -> Translations.Language? {
    let accepted = request.headers.acceptedLanguages
    guard !accepted.isEmpty else { return languages.own }
    return accepted.best(of: languages.offered, preferring: ownLanguage).flatMap(languages.language(for:))
  }

  /// Creates a page in the language of a flow tree.
  ///
  /// - Parameters:
  ///   - window: window of the tree.
  ///   - body: closure that creates the page.
  /// - Returns: the page.
  func speaking<Page>(as window: MirroredWindow, _ body: () -> Page) -> Page { languages.speaking(window.language, body) }

  /// Runs a closure in the language of a watched tree; until the tree has a window, in the language of the browser.
  func speaking<Words: Sendable>(as watch: TreeWatch, _ body: () -> Words) async -> Words {
    guard let language = await watch.view?.language else { return body() }
    return languages.speaking(language, body)
  }

  /// Returns the language in which a browser's user reads flows: the first one of the browser's languages that the daemon has.
  /// A browser that requests no language gets the language of the server's environment.
  ///
  /// - Returns: the language; nil for English, and if the daemon has no languages and does not know the option.
  func language(of visit: Visit) async throws(ClientError) -> LanguageTag? {
    let offered = try await daemon.manager.languages()
    guard !offered.isEmpty else { return nil }
    let accepted = visit.request.headers.acceptedLanguages
    return accepted.isEmpty ? ownLanguage : accepted.best(of: offered, preferring: ownLanguage)
  }
}
