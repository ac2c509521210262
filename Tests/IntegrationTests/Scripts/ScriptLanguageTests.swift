import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Foundation
import TestBus
import Testing

@Suite("The language of a script's flow", .timeLimit(.minutes(5)))
struct ScriptLanguageTests {
  private static let choosing = """
    LANGUAGE=$(ask language --choose en de); export LANGUAGE
    ask menu greet "$(if [ "$LANGUAGE" = de ]; then echo Hallo; else echo Hello; fi)" go="$(ask language)"
    ask message end "$LANGUAGE"
    """

  private func language(_ flow: Flow) async throws -> String { try await flow.router.language().bcp47 }

  @Test("The language that a user chooses is that of the whole flow, and Back and a restart keep it")
  func chosenLanguage() async throws {
    let world = try ScriptWorld()
    try world.write("choosing", Self.choosing)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "choosing", for: client)
    let flow = try await Flow.start("choosing", client, options: Options(language: .english))
    let question = try #require(try await flow.shows("language"))
    #expect(question.items?.map(\.id) == ["en", "de"] && question.suggested == ["en"])
    try await flow.send("select", ["id": "de"])
    #expect(try await flow.shows("greet")?.title == "Hallo")
    #expect(try await flow.shows("greet")?.actions.first?.title == "de")
    #expect(try await language(flow) == "de")
    try await flow.back()
    #expect(try await flow.shows("language")?.items?.map(\.id) == ["de", "en"])
    #expect(try await language(flow) == "de")
    try await flow.send("select", ["id": "en"])
    #expect(try await flow.shows("greet")?.title == "Hello")
    #expect(try await language(flow) == "en")
    try await flow.send("go")
    #expect(try await flow.shows("end")?.title == "en")
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A script that sets another language after the user's choice is in that language, also where it takes the choice")
  func choiceIsChanged() async throws {
    let world = try ScriptWorld()
    try world.write(
      "changing",
      """
      LANGUAGE=$(ask language --choose en de fr); export LANGUAGE
      ask menu greet "$LANGUAGE" go=Go
      ask language fr
      ask message end "$LANGUAGE"
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "changing", for: client)
    let flow = try await Flow.start("changing", client, options: Options(language: .english))
    #expect(try await flow.shows("language") != nil)
    try await flow.send("select", ["id": "de"])
    #expect(try await flow.shows("greet")?.title == "de")
    try await flow.send("go")
    try await poll { try await flow.shows("end")?.title == "fr" }
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A proposed language is that of the script from its first line, until the user has chosen one")
  func proposedLanguage() async throws {
    let world = try ScriptWorld()
    try world.write("choosing", Self.choosing)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "choosing", for: client)
    let flow = try await Flow.start("choosing", client, options: Options(language: .english, proposals: true))
    try await flow.router.proposeLanguage(try LanguageTag("de"))
    try await poll { try await flow.shows("language")?.suggested == ["de"] }
    try await flow.send("select", ["id": "en"])
    #expect(try await flow.shows("greet")?.title == "Hello")
    try await flow.router.proposeLanguage(try LanguageTag("de"))
    #expect(try await language(flow) == "en")
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A script that only sets the language does so for the flow that runs it, and steps are done once")
  func childSetsTheLanguage() async throws {
    let world = try ScriptWorld()
    try world.write("speak-german", "ask language de")
    try world.write(
      "parent",
      """
      ask step first -- sh -c 'echo done >>"$1"' sh "\(world.bus.directory)/steps"
      ask run speak-german
      ask message end "$(ask language)"
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "parent", for: client)
    let flow = try await Flow.start("parent", client, options: Options(language: .english))
    try await poll { try await flow.shows("end")?.title == "de" }
    #expect(try await language(flow) == "de")
    #expect(try String(contentsOfFile: "\(world.bus.directory)/steps", encoding: .utf8) == "done\n")
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("Python sets and asks for the language as the shell does")
  func python() async throws {
    let world = try ScriptWorld()
    try world.writePython(
      "choosing.py",
      """
      @flow("choosing", title={"": "Choose", "de": "Wählen"})
      async def choosing(ui):
          chosen = await ui.choose_language(["en", "de"])
          await ui.menu("greet", f"{chosen} {ui.language}", go="Go")
          ui.set_language("fr")
          await ui.message("end", ui.language)

      serve(choosing)
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "choosing", for: client)
    let flow = try await Flow.start("choosing", client, options: Options(language: .english))
    try await flow.shows("language")
    try await flow.send("select", ["id": "de"])
    #expect(try await flow.shows("greet")?.title == "de de")
    try await flow.send("go")
    #expect(try await flow.shows("end")?.title == "fr")
    let listing = try #require(try await client.manager.listFlows().first { $0.name == "choosing" })
    #expect(listing.title(in: try LanguageTag("de-AT")).text == "Wählen")
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("The script in Docs/languages.md offers the languages of its catalogs, and is then translated")
  func documentedScript() async throws {
    let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let document = try String(contentsOf: checkout.appending(path: "Docs/languages.md"), encoding: .utf8)
    let block = try #require(document.components(separatedBy: "```").first { $0.contains("TEXTDOMAIN=coffee") })
    let world = try ScriptWorld()
    let directory = "\(world.bus.directory)/catalogs"
    try world.write("coffee", String(block.dropFirst(3)).replacing("/usr/share/locale", with: directory))
    let messages = "\(directory)/de/LC_MESSAGES"
    try FileManager.default.createDirectory(atPath: messages, withIntermediateDirectories: true)
    let texts = """
      msgid ""
      msgstr "Content-Type: text/plain; charset=UTF-8\\nX-Language-Name: Deutsch\\n"

      msgid "How large?"
      msgstr "Wie groß?"

      """
    try texts.write(toFile: "\(directory)/de.po", atomically: true, encoding: .utf8)
    let compiled = try await Program.run(["/usr/bin/msgfmt", "--output-file", "\(messages)/coffee.mo", "\(directory)/de.po"])
    #expect(compiled.status == .exited(0), "\(compiled)")
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "coffee", for: client)
    let flow = try await Flow.start("coffee", client, options: Options(language: .english))
    #expect(try await flow.shows("language")?.items?.map(\.title) == ["English", "Deutsch"])
    try await flow.send("select", ["id": "de"])
    #expect(try await flow.shows("size")?.title == "Wie groß?")
    withExtendedLifetime((daemon, engine)) {}
  }
}
