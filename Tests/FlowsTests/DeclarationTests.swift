import CoordinatorKit
import Flows
import Testing

@Suite("The declarations of the flows that ship", .timeLimit(.minutes(5)))
struct DeclarationTests {
  @Test("No coordinator that ships has a mistake in its declaration, since a daemon does not look for any")
  func declarationsAreRight() throws {
    let catalogue = try FlowCatalogue.builtIn()
    #expect(catalogue.builtInNames.count == 12)
    for name in catalogue.builtInNames { #expect(catalogue.mistakes(in: name).isEmpty, "\(name)") }
  }
}
