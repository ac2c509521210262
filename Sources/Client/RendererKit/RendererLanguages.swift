import CoordinatorClient
import Languages
import Platform

/// The languages that the words of a renderer can be shown in. Each is read at its first use.
///
/// A renderer sets the language around all code that makes words: drawing, the handling of input, the answer to a request. The
/// language is that of the shown flow tree, or without a tree that of the user. Safe to use from any thread.
public final class RendererLanguages: Sendable {
  /// The languages in the directories where translations are usually installed.
  public static let standard = RendererLanguages(
    directories: Translations.usualDirectories(environment: Environment.value), preferred: LanguageTag.preferred())

  private let directories: [String]
  private let preferred: [LanguageTag]
  private let known = Lock<[LanguageTag: Translations.Language?]>([:])
  private let tags = Lock<[LanguageTag]?>(nil)

  /// Creates languages without reading anything.
  ///
  /// A file that cannot be read is skipped; the daemon, which reads the same files, reports it.
  ///
  /// - Parameters:
  ///   - directories: directories of translations, in ascending precedence.
  ///   - preferred: languages of the user, best first.
  public init(directories: [String], preferred: [LanguageTag] = []) {
    self.directories = directories
    self.preferred = preferred
  }

  /// The languages with translations, and English.
  public var offered: [LanguageTag] {
    tags.withLock { tags in
      if let tags { return tags }
      let found = Translations.tags(domains: [Translations.domain], directories: directories)
      let all = found.contains(.english) ? found : found + [.english]
      tags = all
      return all
    }
  }

  /// The language of the user; nil for English.
  public var own: Translations.Language? {
    for tag in preferred {
      if let language = language(for: tag) { return language }
      // English needs no translations.
      if tag.language == LanguageTag.english.language { return nil }
    }
    return nil
  }

  /// Returns the language that serves readers of a language best.
  ///
  /// - Parameter tag: the language.
  /// - Returns: the language itself or its nearest fallback; nil if there is neither, which means English.
  public func language(for tag: LanguageTag) -> Translations.Language? {
    known.withLock { known in
      if let language = known[tag] { return language }
      let language = Translations.language(for: tag, domains: [Translations.domain], directories: directories)
      known[tag] = .some(language)
      return language
    }
  }

  /// Runs a closure with the language set for the words that it makes.
  ///
  /// - Parameters:
  ///   - tag: language of the flow tree; nil for that of the user.
  ///   - body: closure to run.
  /// - Returns: the value that the closure returns.
  public func speaking<Result>(_ tag: LanguageTag?, _ body: () throws -> Result) rethrows -> Result {
    try Translation.$current.withValue(tag.map { language(for: $0) } ?? own) { try body() }
  }
}

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
