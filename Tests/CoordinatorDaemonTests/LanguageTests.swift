import CoordinatorBus
import CoordinatorKit
import DBus
import Flows
import Languages
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Languages on the bus", .timeLimit(.minutes(5)))
struct LanguageTests {
  /// Lets the user choose a language.
  private actor Chooser: Coordinator {
    static let flow = FlowDescription("chooser", title: "Chooser")
    enum Route: Codable { case only }
    let context = Context()

    func start() { router.present(.only) }
    func screen(for route: Route) -> Screen { .menu("only", title: "Language", choices: [Action("de", "German")]) }
    func receive(_ event: Event, on route: Route) throws { setLanguage(try LanguageTag(event.name)) }
  }

  private func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Chooser() }
    catalogue.translations = Translations([
      try LanguageTag("de"): [MessageCatalogue(["Language": "Sprache", "German": "Deutsch"])]
    ])
    return catalogue
  }

  private func language(_ daemon: TestDaemon, _ root: ObjectPath) async throws -> String? {
    try await daemon.property("Language", Contract.routerInterface, at: Contract.routerPath(of: root)).string
  }

  @Test("A flow is started in the language of the option, and reports it")
  func flowIsStartedInLanguage() async throws {
    let daemon = try await TestDaemon(catalogue())
    let english = try await daemon.start("chooser")
    let german = try await daemon.start("chooser", [:], ["language": .string("de_AT.UTF-8")])
    #expect(try await daemon.screens(english).first?["title"] == .string("Language"))
    #expect(try await language(daemon, english) == "en")
    #expect(try await daemon.screens(german).first?["title"] == .string("Sprache"))
    #expect(try await language(daemon, german) == "de-AT")
    try await daemon.end()
  }

  @Test("What names no language is InvalidArgs, and starts nothing")
  func wrongLanguageIsInvalid() async throws {
    let daemon = try await TestDaemon(catalogue())
    for wrong in [Value.string(""), .string("not a language"), .uint64(1)] {
      await #expect {
        _ = try await daemon.start("chooser", [:], ["language": wrong])
      } throws: {
        ($0 as? DBusError)?.isStandard("InvalidArgs") == true
      }
    }
    #expect(try await daemon.manager("ListActive") == [.array(of: .structure([.objectPath, .string, .string, .uint64]), [])])
    try await daemon.end()
  }

  @Test("The Manager lists the languages with their own names, English among them")
  func managerListsLanguages() async throws {
    let daemon = try await TestDaemon(catalogue())
    let listed = try await daemon.property("Languages", Contract.managerInterface, at: Contract.rootPath)
    #expect(
      listed.elements == [
        .structure([.string("de"), .string("de")]), .structure([.string("en"), .string("English")]),
      ])
    try await daemon.end()
  }

  @Test("Each flow is listed with its title and summary in the languages in which they are translated")
  func flowsAreListedWithTheirTranslations() async throws {
    var catalogue = try catalogue()
    catalogue.translations = Translations([
      try LanguageTag("de"): [MessageCatalogue(["Chooser": "Auswahl"])], try LanguageTag("fr"): [MessageCatalogue(["a": "b"])],
    ])
    let daemon = try await TestDaemon(catalogue)
    let entry = try await daemon.manager("ListFlows").first?.elements?.first?.vardict ?? [:]
    #expect(entry["title"] == .string("Chooser"))
    #expect(
      entry["titles"]?.unwrapped
        == .dictionary(key: .string, value: .string, [DictionaryEntry(key: .string("de"), value: .string("Auswahl"))]))
    #expect(entry["summaries"] == nil)
    try await daemon.end()
  }

  @Test("When a flow chooses a language, its screens are updated, the property changes, and a restart keeps it")
  func chosenLanguageIsKept() async throws {
    let bus = try PrivateBus()
    let daemon = try await TestDaemon(catalogue(), on: bus, isKept: true)
    let root = try await daemon.start("chooser")
    var signals = try await daemon.signals().makeAsyncIterator()
    try await daemon.delegate(root, 1, "de")
    #expect(try await daemon.screens(root).first?["title"] == .string("Sprache"))
    #expect(await signals.upTo("PropertiesChanged").last?.contains("{Language}") == true)
    try await daemon.end()
    let again = try await TestDaemon(catalogue(), on: bus, isKept: true)
    #expect(try await again.screens(root).first?["title"] == .string("Sprache"))
    #expect(try await language(again, root) == "de")
    try await again.end()
  }

  private func propose(_ language: String, to root: ObjectPath, _ daemon: TestDaemon) async throws {
    _ = try await daemon.call(
      Contract.routerPath(of: root), Contract.routerInterface, "ProposeLanguage", [.string(language), .vardict([:])])
  }

  @Test("The first proposal decides, and only for a tree that takes proposals")
  func firstProposalDecides() async throws {
    let daemon = try await TestDaemon(catalogue())
    let root = try await daemon.start("chooser", [:], ["language": .string("en"), "proposals": .boolean(true)])
    try await propose("de-AT", to: root, daemon)
    #expect(try await daemon.screens(root).first?["title"] == .string("Sprache"))
    #expect(try await language(daemon, root) == "de-AT")
    try await propose("en", to: root, daemon)
    #expect(try await language(daemon, root) == "de-AT")
    let other = try await daemon.start("chooser", [:], ["language": .string("en")])
    try await propose("de", to: other, daemon)
    #expect(try await language(daemon, other) == "en")
    await #expect {
      try await propose("not a language", to: root, daemon)
    } throws: {
      ($0 as? DBusError)?.isStandard("InvalidArgs") == true
    }
    try await daemon.end()
  }

  @Test("A proposal changes nothing after an answer, after the flow has chosen, and after a restart nothing else")
  func lateProposalsChangeNothing() async throws {
    let bus = try PrivateBus()
    let daemon = try await TestDaemon(catalogue(), on: bus, isKept: true)
    let open = ["proposals": Value.boolean(true)]
    let (answered, waiting) = (try await daemon.start("chooser", [:], open), try await daemon.start("chooser", [:], open))
    try await daemon.delegate(answered, 1, "de")
    try await propose("en", to: answered, daemon)
    #expect(try await language(daemon, answered) == "de")
    try await daemon.end()
    let again = try await TestDaemon(catalogue(), on: bus, isKept: true)
    try await propose("en", to: answered, again)
    #expect(try await language(again, answered) == "de")
    try await propose("de", to: waiting, again)
    #expect(try await again.screens(waiting).first?["title"] == .string("Sprache"))
    try await again.end()
  }
}
