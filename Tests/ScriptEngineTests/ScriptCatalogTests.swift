import Testing

@testable import CoordinatorScripts

@Suite("The scripts that are served")
struct ScriptCatalogTests {
  private func scripts(_ names: String...) -> [String: Script] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, Script($0, path: "/\($0)", digest: "digest", kind: .processes)) })
  }

  @Test("What was read later counts, though what was read before is ready last")
  func laterReadingCounts() {
    var catalog = ScriptCatalog(scripts("old"))
    let early = catalog.begin()
    let late = catalog.begin()
    #expect(catalog.end(late, scripts("old", "new")) == .changed)
    #expect(catalog.end(early, scripts("old")) == .overtaken)
    #expect(catalog.scripts == scripts("old", "new"))
    let again = catalog.begin()
    #expect(again.known == scripts("old", "new"))
    #expect(catalog.end(again, scripts("old", "new")) == .same)
  }

  @Test("A reading that is overtaken by one with the same outcome is not repeated")
  func sameOutcomeIsNotReadAgain() {
    var catalog = ScriptCatalog()
    let early = catalog.begin()
    #expect(catalog.end(catalog.begin(), scripts("a")) == .changed)
    #expect(catalog.end(early, scripts("a")) == .same)
  }
}
