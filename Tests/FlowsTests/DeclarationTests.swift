import CoordinatorKit
import Testing

@testable import Flows

@Suite("The declarations of the flows that ship", .timeLimit(.minutes(5)))
struct DeclarationTests {
  @Test("No coordinator that ships has a mistake in its declaration, since a daemon does not look for any")
  func declarationsAreRight() throws {
    let catalogue = try FlowCatalogue.builtIn()
    #expect(catalogue.builtInNames.count == 12)
    for name in catalogue.builtInNames { #expect(catalogue.mistakes(in: name).isEmpty, "\(name)") }
  }

  @Test("A shipped flow can be added to another catalogue, with a different data source")
  func flowsAreAdded() throws {
    let kanji = KanjiDictionary.bundled
    var catalogue = FlowCatalogue()
    try catalogue.add { KanjiList(source: kanji) }
    #expect(catalogue.builtInNames == ["kanji-list"])
  }
}
