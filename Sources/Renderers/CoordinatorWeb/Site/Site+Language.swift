import CoordinatorClient
import Languages

/// The languages of browsers.
extension Site {
  /// Returns the language in which a browser's user reads flows: that of the daemon's languages which the browser asks
  /// for first. A browser that does not ask gets the language of the server's environment.
  ///
  /// - Returns: the language; nil for English, and if the daemon has no languages and does not know the option.
  func language(of visit: Visit) async throws(ClientError) -> LanguageTag? {
    let offered = try await daemon.manager.languages()
    guard !offered.isEmpty else { return nil }
    let accepted = visit.request.headers.acceptedLanguages
    return accepted.isEmpty ? ownLanguage : accepted.best(of: offered, preferring: ownLanguage)
  }
}
