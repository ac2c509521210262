import Platform

/// The translations that a program has.
///
/// ```swift
/// let translations = Translations(domains: ["coordinatord"], directories: ["/usr/share/locale"]) { log($0) }
/// let language = translations.language(for: LanguageTag.preferred())
/// ```
public struct Translations: Sendable {
  /// The languages that texts can be shown in, sorted by tag. Always contains English, the language of the originals.
  public let languages: [Language]

  private let byTag: [LanguageTag: Language]

  /// No translations: English only.
  public static let none = Translations(domains: [], directories: [])

  /// Loads `<directory>/<language>/LC_MESSAGES/<domain>.mo` for all languages that have a directory.
  ///
  /// Files that cannot be read are reported, and the others are used. A file or a directory that does not exist is not an
  /// error.
  ///
  /// - Parameters:
  ///   - domains: the names of the files; later ones override earlier ones.
  ///   - directories: the directories to search; later ones override earlier ones, and override all their domains.
  ///   - report: called for each file, and for each directory, that cannot be read.
  public init(domains: [String], directories: [String], report: (MessageCatalogueError) -> Void = { _ in }) {
    self.init(Self.catalogues(of: domains, in: directories, report))
  }

  /// Loads the translations to one language and its fallbacks only, as for a program with one user.
  ///
  /// - Parameters:
  ///   - tag: the language. ``LanguageTag/untranslated`` stands for English.
  ///   - domains: the names of the files; later ones override earlier ones.
  ///   - directories: the directories to search; later ones override earlier ones, and override all their domains.
  ///   - report: called for each file, and for each directory, that cannot be read.
  /// - Returns: the language itself or its nearest fallback; nil if there are no translations to either.
  public static func language(
    for tag: LanguageTag, domains: [String], directories: [String], report: (MessageCatalogueError) -> Void = { _ in }
  ) -> Language? {
    let fallbacks = (tag.isUntranslated ? .english : tag).fallbacks
    let found = catalogues(of: domains, in: directories, report, only: fallbacks)
    guard let nearest = fallbacks.first(where: { found[$0] != nil }) else { return nil }
    return Translations(found).language(for: nearest)
  }

  /// Returns the languages that have translations, without reading these. Contains English only if English has a file.
  ///
  /// - Parameters:
  ///   - domains: the names of the files.
  ///   - directories: the directories to search.
  /// - Returns: the languages.
  public static func tags(domains: [String], directories: [String]) -> [LanguageTag] {
    var tags: [LanguageTag] = []
    for directory in directories {
      for (_, tag) in Self.tags(in: directory, having: domains, { _ in }) where !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  /// Returns the catalogues of each language, or of some only, in the order in which they are searched.
  private static func catalogues(
    of domains: [String], in directories: [String], _ report: (MessageCatalogueError) -> Void,
    only wanted: [LanguageTag]? = nil
  ) -> [LanguageTag: [MessageCatalogue]] {
    var catalogues: [LanguageTag: [MessageCatalogue]] = [:]
    for directory in directories {
      for (name, tag) in tags(in: directory, having: domains, of: wanted?.first?.language, report)
      where wanted?.contains(tag) ?? true {
        for domain in domains {
          let file = file(of: domain, in: directory, name)
          guard !CatalogueFile.isMissing(file) else { continue }
          do throws(MessageCatalogueError) {
            catalogues[tag, default: []].append(try MessageCatalogue(file: file))
          } catch {
            report(error)
          }
        }
      }
    }
    return catalogues.mapValues { $0.reversed() }
  }

  private static func file(of domain: String, in directory: String, _ name: String) -> String {
    "\(directory)/\(name)/LC_MESSAGES/\(domain).mo"
  }

  /// Creates translations from catalogues.
  ///
  /// - Parameter catalogues: the catalogues of each language, in the order in which they are searched.
  public init(_ catalogues: [LanguageTag: [MessageCatalogue]]) {
    var byTag: [LanguageTag: Language] = [:]
    for tag in Set(catalogues.keys).union([.english]) {
      let own = catalogues[tag] ?? []
      let name = own.lazy.compactMap { $0.headerField("X-Language-Name") }.first { !$0.isEmpty }
      // The catalogue of the language supplies texts that the catalogue of the region lacks.
      let inherited = tag.fallbacks.dropFirst().flatMap { catalogues[$0] ?? [] }
      byTag[tag] = Language(tag, name: name ?? (tag == .english ? "English" : nil), catalogues: own + inherited)
    }
    self.byTag = byTag
    languages = byTag.values.sorted { $0.tag.description < $1.tag.description }
  }

  /// Returns the language that serves readers of a language best.
  ///
  /// - Parameter tag: the language. ``LanguageTag/untranslated`` stands for English.
  /// - Returns: the language itself or its nearest fallback; nil if there is neither.
  public func language(for tag: LanguageTag) -> Language? {
    let tag = tag.isUntranslated ? .english : tag
    return tag.fallbacks.lazy.compactMap { byTag[$0] }.first
  }

  /// Returns the language that serves readers of several languages best.
  ///
  /// - Parameter tags: the languages, best first.
  /// - Returns: the language of the first tag that has one; nil if none has.
  public func language(for tags: [LanguageTag]) -> Language? {
    tags.lazy.compactMap { language(for: $0) }.first
  }

  /// Returns the languages in a directory that have a file, by the names of their directories, sorted by name. Skips other
  /// names, and other languages if `language` is not nil. Parses only the names of directories with a file: a system has
  /// hundreds of directories, and parsing all names would delay the first screen and the start of a daemon.
  private static func tags(
    in directory: String, having domains: [String], of language: String? = nil, _ report: (MessageCatalogueError) -> Void
  ) -> [(name: String, tag: LanguageTag)] {
    do throws(MessageCatalogueError.Reason) {
      var tags: [(name: String, tag: LanguageTag)] = []
      for name in try CatalogueFile.names(in: directory) where name.bytes.hasPrefix(language ?? "") {
        guard domains.contains(where: { !CatalogueFile.isMissing(file(of: $0, in: directory, name)) }) else { continue }
        if let tag = LanguageTagParser.parse(name), !tag.isUntranslated { tags.append((name, tag)) }
      }
      return tags
    } catch {
      report(MessageCatalogueError(file: directory, reason: error))
      return []
    }
  }
}

extension Translations {
  /// The name of the files with the texts that ship with coordinatord.
  public static let domain = "coordinatord"

  /// Returns the usual directories with translations, in ascending precedence: `locale` in those of `$XDG_DATA_DIRS` and of
  /// `$XDG_DATA_HOME`. Relative paths in these variables are ignored.
  ///
  /// Source: XDG Base Directory Specification 0.8.
  ///
  /// - Parameters:
  ///   - isShared: whether to leave out the user's directory, as a system daemon does.
  ///   - variable: returns the value of an environment variable.
  /// - Returns: the directories.
  public static func usualDirectories(isShared: Bool = false, environment variable: (String) -> String?) -> [String] {
    func nonEmpty(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let shared = (nonEmpty("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").bytes.split(separator: ":").map(String.init)
    let own = isShared ? nil : nonEmpty("XDG_DATA_HOME") ?? nonEmpty("HOME").map { "\($0)/.local/share" }
    return (shared.reversed() + [own].compactMap(\.self)).filter { $0.bytes.hasPrefix("/") }
      .map { $0.bytes.hasSuffix("/") ? "\($0)locale" : "\($0)/locale" }
  }
}

extension Translations {
  /// A language that texts can be shown in.
  ///
  /// A class, so that copies cost one reference.
  public final class Language: Sendable {
    /// The tag of the language.
    public let tag: LanguageTag
    /// The name of the language in that language, such as `Deutsch`.
    public let name: String
    /// The catalogues, in the order in which they are searched.
    private let catalogues: [MessageCatalogue]

    /// Creates a language.
    ///
    /// - Parameters:
    ///   - tag: the tag of the language.
    ///   - name: the name of the language in that language; nil for the tag.
    ///   - catalogues: the catalogues, in the order in which they are searched; each has its own plural forms.
    public init(_ tag: LanguageTag, name: String? = nil, catalogues: [MessageCatalogue]) {
      self.tag = tag
      self.name = name ?? tag.description
      self.catalogues = catalogues
    }

    /// Returns the translation of a text that does not depend on a number, before values are inserted.
    ///
    /// - Parameters:
    ///   - key: the English original.
    ///   - context: the context.
    /// - Returns: the translation; nil if there is none.
    public func translation(of key: String, context: String? = nil) -> String? {
      for catalogue in catalogues {
        if let translation = catalogue.translation(of: key, context: context) { return translation }
      }
      return nil
    }

    /// Returns the translation of a text that depends on a number, before values are inserted.
    ///
    /// - Parameters:
    ///   - key: the English original for the number 1.
    ///   - context: the context.
    ///   - count: the number.
    /// - Returns: the form for the number; nil if there is no translation.
    public func translation(of key: String, context: String? = nil, count: Int) -> String? {
      for catalogue in catalogues {
        if let translation = catalogue.translation(of: key, context: context, count: count) { return translation }
      }
      return nil
    }
  }
}
