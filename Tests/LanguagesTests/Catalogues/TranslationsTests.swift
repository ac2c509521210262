import Languages
import Testing

@Suite("The translations of a program", .timeLimit(.minutes(1)))
struct TranslationsTests {
  @Test("A text is shown in the nearest language that there is")
  func nearestLanguageIsChosen() throws {
    let translations = try translations(["de": ["a": "de"], "pt_BR": ["a": "pt_BR"], "sr@latin": ["a": "sr@latin"]])
    for (wanted, expected) in [
      ("de", "de"), ("de_CH.UTF-8", "de"), ("pt-BR", "pt-BR"), ("sr_Latn_RS", "sr-Latn"), ("en_GB", "en"), ("C", "en"),
    ] {
      #expect(try translations.language(for: LanguageTag(wanted))?.tag.description == expected, "\(wanted)")
    }
    for wanted in ["fr", "pt_PT", "sr"] { #expect(try translations.language(for: LanguageTag(wanted)) == nil, "\(wanted)") }
  }

  @Test("Of several wanted languages, the first that there is counts, and English is always there")
  func firstLanguageCounts() throws {
    let translations = try translations(["de": ["a": "de"]])
    func chosen(_ names: [String]) throws -> String? {
      try translations.language(for: names.map { try LanguageTag($0) })?.tag.description
    }
    #expect(try chosen(["fr", "de_AT", "en"]) == "de")
    #expect(try chosen(["fr", "en_US", "de"]) == "en")
    #expect(try chosen(["fr"]) == nil)
    #expect(try chosen([]) == nil)
  }

  @Test("What the catalogue of a region does not have comes from that of the language, with the plural forms of that one")
  func regionInheritsFromLanguage() throws {
    let french = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n>1;\n"
    let translations = try Translations([
      LanguageTag("fr"): [CatalogueWriter(header: french, ["a": "fr a", "day\0days": "jour\0jours"]).catalogue()],
      LanguageTag("fr_CA"): [CatalogueWriter(["a": "fr_CA a"]).catalogue()],
    ])
    let language = try #require(try translations.language(for: LanguageTag("fr_CA")))
    #expect(("a" as Text).resolved(in: language) == "fr_CA a")
    #expect(Text(one: "day", other: "days", count: 0).resolved(in: language) == "jour")
    #expect(("b" as Text).resolved(in: language) == "b")
  }

  @Test("Languages have names in their own language, or else their tag, and are sorted")
  func languagesHaveNames() throws {
    let directory = try TemporaryDirectory()
    let header = "Content-Type: text/plain; charset=UTF-8\nX-Language-Name: Deutsch\n"
    try CatalogueWriter(header: header, [:]).write(to: directory, language: "de")
    try CatalogueWriter([:]).write(to: directory, language: "fr")
    try CatalogueWriter(header: "X-Language-Name: \n", [:]).write(to: directory, language: "it")
    let languages = Translations(domains: ["sample"], directories: [directory.path]).languages
    #expect(languages.map { "\($0.tag) \($0.name)" } == ["de Deutsch", "en English", "fr fr", "it it"])
    #expect(Translations.none.languages.map(\.name) == ["English"])
  }

  @Test("A later directory overrides an earlier one, and a later domain an earlier one of the same directory")
  func laterDirectoriesOverride() throws {
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    let all: KeyValuePairs = ["a": "1 x", "b": "1 x", "c": "1 x", "d": "1 x"]
    try CatalogueWriter(all).write(to: first, language: "de", domain: "x")
    try CatalogueWriter(["b": "1 y", "c": "1 y", "d": "1 y"]).write(to: first, language: "de", domain: "y")
    try CatalogueWriter(["c": "2 x", "d": "2 x"]).write(to: second, language: "de", domain: "x")
    try CatalogueWriter(["d": "2 y"]).write(to: second, language: "de", domain: "y")
    let translations = Translations(domains: ["x", "y"], directories: [first.path, "/nowhere", second.path]) { error in
      Issue.record("\(error)")
    }
    let german = try translations.language(for: LanguageTag("de"))
    let texts = ["a", "b", "c", "d"] as [Text]
    #expect(texts.map { $0.resolved(in: german) } == ["1 x", "1 y", "2 x", "2 y"])
  }

  @Test("A file that cannot be read is reported, and the rest is used")
  func unreadableFileIsReported() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1, 2, 3, 4], to: "de/LC_MESSAGES/sample.mo")
    try directory.write([], to: "fr/LC_MESSAGES/sample.mo/x")
    try directory.write([], to: "locale.alias")
    try directory.write([], to: "it/LC_MESSAGES")
    try CatalogueWriter(["a": "b"]).write(to: directory, language: "sv")
    try CatalogueWriter(["a": "b"]).write(to: directory, language: "de", domain: "other")
    try directory.write([], to: "file")
    var errors: [String] = []
    let translations = Translations(
      domains: ["sample", "other", "none"], directories: [directory.path, "\(directory.path)/file"]
    ) { errors.append("\($0)") }
    #expect(
      errors == [
        "\(directory.path)/de/LC_MESSAGES/sample.mo: not a catalogue of translations; create it with msgfmt",
        "\(directory.path)/fr/LC_MESSAGES/sample.mo: not a regular file",
        "\(directory.path)/file: cannot be read: Not a directory",
      ])
    #expect(translations.languages.map(\.tag.description) == ["de", "en", "sv"])
  }

  @Test("An English catalogue can change the originals")
  func englishCanBeTranslated() throws {
    let translations = try translations(["en": ["Schedule": "Timetable"], "en_US": ["Cancelled": "Canceled"]])
    let american = try translations.language(for: LanguageTag("en_US"))
    #expect(("Schedule" as Text).resolved(in: american) == "Timetable")
    #expect(("Cancelled" as Text).resolved(in: american) == "Canceled")
    #expect(("Cancelled" as Text).resolved(in: translations.language(for: .untranslated)) == "Cancelled")
  }

  private func translations(_ languages: KeyValuePairs<String, KeyValuePairs<String, String>>) throws -> Translations {
    let directory = try TemporaryDirectory()
    for (language, messages) in languages { try CatalogueWriter(messages).write(to: directory, language: language) }
    return Translations(domains: ["sample"], directories: [directory.path]) { Issue.record("\($0)") }
  }
}
