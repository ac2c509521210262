import CoordinatorKit
import Flows
import Testing

@Suite("The documents and the repository", .timeLimit(.minutes(5)))
struct ReadmeTests {
  @Test("README.md names every flow that is shipped", arguments: try FlowCatalogue.builtIn().descriptions.map(\.name))
  func readmeNamesEveryFlow(name: String) throws {
    #expect(try Checkout.lines(of: "README.md").contains { $0.contains("`\(name)`") })
  }

  @Test(
    "Links between documents resolve",
    arguments: [
      "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Docs/accounts.md", "Docs/answers.md", "Docs/architecture.md",
      "Docs/configuration.md",
      "Docs/dbus-api.md", "Docs/dbus-layer.md", "Docs/durability.md", "Docs/forms.md", "Docs/languages.md", "Docs/limits.md",
      "Docs/operations.md", "Docs/performance.md", "Docs/scripting.md", "Docs/security.md", "Docs/terminal.md", "Docs/web.md",
      "Docs/writing-flows.md", "Docs/writing-providers.md",
      "Docs/writing-renderers.md", "Docs/writing-scripts.md", "Docs/script-protocol.md", "Docs/program-protocol.md",
      "Docs/programs.md", "Docs/glossary.md", "Docs/deploying.md", "Docs/kiosk.md", "Docs/themes.md",
      "Examples/first-boot/README.md",
    ])
  func linksBetweenDocumentsResolve(document: String) throws {
    let directory = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for line in try Checkout.lines(of: document) {
      for match in line.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
        #expect(Checkout.has(directory + match.output.1), "\(document) links to \(match.output.1)")
      }
    }
  }
}
