import CoordinatorKit
import Languages

/// A flow that can be started.
public struct FlowListing: Sendable, Hashable {
  /// The name that starts the flow.
  public var name: String
  /// The title of the flow, for users, in English.
  public var title: String
  /// A one-sentence description of the flow's purpose, in English.
  public var summary: String
  /// The schema of the flow's input; nil if the daemon's schema cannot be decoded by this version.
  public var input: Schema?
  /// The schema of the flow's result; nil if it declares none.
  public var result: Schema?
  /// The schema of the flow's outputs, which it sends to its parent while it is active; nil if it declares none.
  public var output: Schema?
  /// Whether the flow can be played as a rehearsal: doing so changes nothing outside of the flow.
  public var isRehearsable: Bool
  /// Whether users can leave the flow before it has ended. True for daemons that do not say so.
  public var isLeavable: Bool
  /// Whether the flow is only a part of other flows, so that front ends do not offer it to users.
  public var isPart: Bool
  /// The bus name of the program that serves the flow; nil for a flow that is built into the daemon.
  public var provider: String?
  /// The translations of ``title``.
  public var titles: [LanguageTag: String]
  /// The translations of ``summary``.
  public var summaries: [LanguageTag: String]

  /// Creates a listing from the values that the daemon lists.
  public init(
    name: String, title: String, summary: String, input: Schema?, result: Schema? = nil, output: Schema? = nil,
    isRehearsable: Bool = false, isLeavable: Bool = true, isPart: Bool = false, provider: String? = nil,
    titles: [LanguageTag: String] = [:], summaries: [LanguageTag: String] = [:]
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.input = input
    self.result = result
    self.output = output
    self.isRehearsable = isRehearsable
    self.isLeavable = isLeavable
    self.isPart = isPart
    self.provider = provider
    self.titles = titles
    self.summaries = summaries
  }

  /// Returns the title to show to a user.
  ///
  /// - Parameter language: language of the user; nil for English.
  /// - Returns: the title in that language, in its nearest fallback, or in English.
  public func title(in language: LanguageTag?) -> TextInLanguage { TextInLanguage(title, titles, language) }

  /// Returns the description of the flow's purpose to show to a user.
  ///
  /// - Parameter language: language of the user; nil for English.
  /// - Returns: the description in that language, in its nearest fallback, or in English.
  public func summary(in language: LanguageTag?) -> TextInLanguage { TextInLanguage(summary, summaries, language) }
}

/// A text for a user, and the language that it is in.
public struct TextInLanguage: Sendable, Hashable {
  /// The text.
  public let text: String
  /// The language of the text.
  public let language: LanguageTag

  /// Creates a text that is not translated.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - language: its language.
  public init(text: String, language: LanguageTag) {
    self.text = text
    self.language = language
  }

  /// Chooses the translation of a text that serves a user best.
  ///
  /// - Parameters:
  ///   - original: text in English.
  ///   - translations: text in other languages.
  ///   - language: language of the user; nil for English.
  init(_ original: String, _ translations: [LanguageTag: String], _ language: LanguageTag?) {
    // English may have an entry as well, because a catalogue can change the originals.
    let tags = language?.fallbacks ?? [.english]
    let match = tags.lazy.compactMap { tag in translations[tag].map { (text: $0, language: tag) } }.first
    (text, self.language) = match ?? (original, .english)
  }
}
