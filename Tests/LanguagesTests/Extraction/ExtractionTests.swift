import Foundation
import Languages
import TestBus
import Testing

/// The program of `make po` and `make mo`.
@Suite("Scripts/po", .timeLimit(.minutes(1)))
struct ExtractionTests {
  private let directory: TemporaryDirectory
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  private static let script = tests.appending(path: "../../Scripts/po").path
  private static let sample = tests.appending(path: "Samples/Sample.swift.txt").path

  init() throws { directory = try TemporaryDirectory() }

  @Test("The template has the texts of a source, with contexts, plurals, comments and places, and nothing else")
  func templateHasTexts() async throws {
    try await po("template", Self.sample)
    let written = try directory.text(of: "coordinatord.pot").replacing(Self.sample, with: "Sample.swift.txt")
    #expect(written == (try String(contentsOf: Self.tests.appending(path: "Samples/Sample.pot"), encoding: .utf8)))
  }

  @Test("A template that is not what the sources say is noticed")
  func outdatedTemplateIsNoticed() async throws {
    #expect(try await run("check", Self.sample).status == .exited(1))
    try await po("template", Self.sample)
    try await po("check", Self.sample)
    try directory.write(Array(try directory.text(of: "coordinatord.pot").utf8) + [0x0A], to: "coordinatord.pot")
    #expect(try await run("check", Self.sample).errors.contains("run `make po`"))
  }

  @Test(
    "A text that cannot be translated is refused, with its place",
    arguments: [
      (#"Text("Hello \(name)")"#, "use a placeholder"), (#"Text("a" + b)"#, "use a placeholder"),
      (#"Text("a", context: "\(b)")"#, "use a placeholder"), (#"Text(one: "a", other: "b\(c)", count: 1)"#, "use a placeholder"),
      (#"Text(one: "a", other: "b", count: 1); Text(one: "a", other: "c", count: 1)"#, "has two plurals"),
      (#"Text("a"#, "not terminated"), (#"Text("a""#, "not closed"), (#"Text("\x")"#, "unknown escape"),
      ("/* a", "not terminated"),
    ])
  func untranslatableTextIsRefused(source: String, message: String) async throws {
    try directory.write(Array("\n\(source)\n".utf8), to: "Sources/a.swift")
    let report = try await run("template", "\(directory.path)/Sources")
    #expect(report.status == .exited(1))
    #expect(report.errors.contains("/Sources/a.swift:2: "), "\(report)")
    #expect(report.errors.contains(message), "\(report)")
  }

  @Test("Texts are merged, translated, compiled and shown")
  func translationsAreCompiled() async throws {
    try directory.write(Array(Self.source.utf8), to: "Sources/a.swift")
    try directory.write(Array(Self.german.utf8), to: "de.po")
    try await po("template", "\(directory.path)/Sources")
    try await po("merge")
    #expect(try directory.text(of: "de.po").contains("msgid \"Not yet translated\"\nmsgstr \"\""))
    try await po("compile", "\(directory.path)/compiled")
    let translations = Translations(domains: ["coordinatord"], directories: ["\(directory.path)/compiled"]) {
      Issue.record("\($0)")
    }
    let german = try #require(try translations.language(for: LanguageTag("de_AT")))
    #expect(german.name == "Deutsch")
    func alone(_ tag: String) throws -> Translations.Language? {
      Translations.language(
        for: try LanguageTag(tag), domains: ["coordinatord"], directories: ["/nonexistent", "\(directory.path)/compiled"])
    }
    #expect(try alone("de_AT.UTF-8")?.name == "Deutsch")
    #expect(try alone("fr") == nil && alone("C") == nil)
    #expect(
      Translations.tags(domains: ["coordinatord"], directories: ["\(directory.path)/compiled"]).map(\.description) == ["de"])
    #expect(Text("Welcome, {name}", ["name": "Ada"]).resolved(in: german) == "Willkommen, Ada")
    #expect(Text("Open", context: "verb").resolved(in: german) == "Öffnen")
    #expect(
      (1...2).map { Text(one: "{count} visit", other: "{count} visits", count: $0).resolved(in: german) } == [
        "Ein Besuch", "2 Besuche",
      ])
    #expect(Text("Not yet translated").resolved(in: german) == "Not yet translated")
  }

  @Test("A translation with another placeholder than the original is refused")
  func wrongPlaceholderIsRefused() async throws {
    try directory.write(Array(Self.source.utf8), to: "Sources/a.swift")
    try directory.write(Array(Self.german.utf8), to: "de.po")
    try await po("template", "\(directory.path)/Sources")
    try await po("merge")
    let mistaken = try directory.text(of: "de.po").replacing("Willkommen, {name}", with: "Willkommen, {nmae}")
    try directory.write(Array(mistaken.utf8), to: "de.po")
    let report = try await run("compile", "\(directory.path)/compiled")
    #expect(report.status == .exited(1))
    #expect(report.errors.contains("'nmae'") || report.errors.contains("'name'"), "\(report)")
  }

  @Test("A translation that was guessed is refused, and so is one with too few plural forms")
  func unfinishedTranslationIsRefused() async throws {
    try directory.write(Array(Self.source.utf8), to: "Sources/a.swift")
    try directory.write(Array(Self.german.utf8), to: "de.po")
    try await po("template", "\(directory.path)/Sources")
    try await po("merge")
    let complete = try directory.text(of: "de.po")
      .replacing("msgid \"Not yet translated\"\nmsgstr \"\"", with: "msgid \"Not yet translated\"\nmsgstr \"Da\"")
    try directory.write(Array(complete.utf8), to: "de.po")
    try await po("check", "\(directory.path)/Sources")
    let mistakes = [
      ("msgid \"Not yet", "#, fuzzy\nmsgid \"Not yet", "guesses"), ("msgstr[1] \"{count} Besuche\"\n", "", "mistakes"),
      ("msgstr \"Da\"", "msgstr \"\"", "does not translate"),
    ]
    for (part, replacement, message) in mistakes {
      try #require(complete.contains(part), "\(complete)")
      try directory.write(Array(complete.replacing(part, with: replacement).utf8), to: "de.po")
      let report = try await run("check", "\(directory.path)/Sources")
      #expect(report.status == .exited(1) && report.errors.contains(message), "\(report)")
    }
  }

  @Test("German, French, Arabic and Japanese have every text of the renderers, the kit and the flows")
  func languagesAreComplete() async throws {
    let checkout = Self.tests.appending(path: "../..").standardizedFileURL
    let makefile = try String(contentsOf: checkout.appending(path: "Makefile"), encoding: .utf8)
    let assignment = try #require(makefile.firstMatch(of: /PO_SOURCES = ((?:.*\\\n)*.*)\n/)).1
    let sources = assignment.split(whereSeparator: \.isWhitespace).map(String.init).filter { $0 != "\\" }
    let report = try await Program.run(
      ["/bin/sh", "-c", "cd \"$0\" && exec Scripts/po check \"$@\"", checkout.path] + sources,
      environment: ["LC_ALL": "C.UTF-8"])
    #expect(report.status == .exited(0), "\(report)")
    for language in ["ar", "de", "fr", "ja"] {
      #expect(FileManager.default.fileExists(atPath: checkout.appending(path: "Translations/\(language).po").path))
    }
  }

  @Test("Artificial languages have every text, with other letters, longer, and with its placeholders")
  func pseudoLanguagesHaveEveryText() async throws {
    try directory.write(Array(Self.source.utf8), to: "Sources/a.swift")
    try await po("pseudo", "\(directory.path)/compiled", "\(directory.path)/Sources")
    func language(_ tag: String) throws -> Translations.Language {
      let tag = try LanguageTag(tag)
      return try #require(
        Translations.language(for: tag, domains: ["coordinatord"], directories: ["\(directory.path)/compiled"]))
    }
    let accented = try language("en_XA")
    #expect(Text("Welcome, {name}", ["name": "Ada"]).resolved(in: accented) == "⟦Ŵéļçöɱé, Ada···⟧")
    #expect(Text(one: "{count} visit", other: "{count} visits", count: 2).resolved(in: accented) == "⟦2 ṽîšîţš··⟧")
    let reversed = try language("ar_XB")
    #expect(reversed.tag.isRightToLeft)
    #expect(!Text("Open", context: "verb").resolved(in: reversed).contains { $0.isASCII && $0.isLetter })
  }

  private func po(_ arguments: String...) async throws {
    let report = try await run(arguments)
    #expect(report.status == .exited(0), "\(report)")
  }

  private func run(_ arguments: String...) async throws -> ProgramReport { try await run(arguments) }

  private func run(_ arguments: [String]) async throws -> ProgramReport {
    let program = try Program([Self.script, "--directory", directory.path] + arguments, environment: ["LC_ALL": "C.UTF-8"])
    program.closeInput()
    return await program.ended()
  }

  private static let source = """
    let texts = [
      Text("Welcome, {name}", ["name": name]), Text("Open", context: "verb"), Text("Not yet translated"),
      Text(one: "{count} visit", other: "{count} visits", count: visits),
    ]
    """

  private static let german = #"""
    msgid ""
    msgstr ""
    "Project-Id-Version: sample\n"
    "PO-Revision-Date: 2025-01-01 00:00+0000\n"
    "Last-Translator: Ada <ada@example.org>\n"
    "Language-Team: German <de@example.org>\n"
    "Language: de\n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
    "Plural-Forms: nplurals=2; plural=n != 1;\n"
    "X-Language-Name: Deutsch\n"

    msgid "Welcome, {name}"
    msgstr "Willkommen, {name}"

    msgctxt "verb"
    msgid "Open"
    msgstr "Öffnen"

    msgid "{count} visit"
    msgid_plural "{count} visits"
    msgstr[0] "Ein Besuch"
    msgstr[1] "{count} Besuche"
    """#
}
