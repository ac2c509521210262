import Platform

/// The translations that a program has.
///
/// ```swift
/// let translations = Translations(domains: ["coordinatord"], directories: ["/usr/share/locale"]) { log($0) }
/// let language = translations.language(for: LanguageTag.preferred())
/// ```
public struct Translations: Sendable {
  /// The languages that texts can be shown in, sorted by tag. English, in which texts are written, is always there.
  public let languages: [Language]

  private let byTag: [LanguageTag: Language]

  /// No translations: English only.
  public static let none = Translations(domains: [], directories: [])

  /// Loads `<directory>/<language>/LC_MESSAGES/<domain>.mo` for all languages that have a directory.
  ///
  /// What cannot be read is reported, and the rest is used. A file or a directory that does not exist is not a problem.
  ///
  /// - Parameters:
  ///   - domains: the names of the files; later ones override earlier ones.
  ///   - directories: where to look; later ones override earlier ones, and override all their domains.
  ///   - report: called for each file, and for each directory, that cannot be read.
  public init(domains: [String], directories: [String], report: (MessageCatalogueError) -> Void = { _ in }) {
    self.init(Self.catalogues(of: domains, in: directories, report))
  }

  /// Loads the translations to one language and its fallbacks only, as for a program with one user.
  ///
  /// - Parameters:
  ///   - tag: the language. ``LanguageTag/untranslated`` stands for English.
  ///   - domains: the names of the files; later ones override earlier ones.
  ///   - directories: where to look; later ones override earlier ones, and override all their domains.
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

  /// Returns the languages that there are translations to, without reading them. English is one only if it has a file.
  ///
  /// - Parameters:
  ///   - domains: the names of the files.
  ///   - directories: where to look.
  /// - Returns: the languages.
  public static func tags(domains: [String], directories: [String]) -> [LanguageTag] {
    var tags: [LanguageTag] = []
    for directory in directories {
      for (_, tag) in Self.tags(in: directory, having: domains, { _ in }) where !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  /// The catalogues of each language, or of some only, in the order in which they are asked.
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
  /// - Parameter catalogues: the catalogues of each language, in the order in which they are asked.
  public init(_ catalogues: [LanguageTag: [MessageCatalogue]]) {
    var byTag: [LanguageTag: Language] = [:]
    for tag in Set(catalogues.keys).union([.english]) {
      let own = catalogues[tag] ?? []
      let name = own.lazy.compactMap { $0.headerField("X-Language-Name") }.first { !$0.isEmpty }
      // What the catalogue of a region does not have, that of the language may.
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

  /// The languages in a directory that have a file, by the names of their directories, sorted by name. Other names are skipped,
  /// and so are those of other languages than one. Few of hundreds have a file, and only their names are read as tags:
  /// all of them would delay the first screen, and the start of a daemon.
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
