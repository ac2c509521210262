import CoordinatorKit
import Flows
import Testing

@Suite("The documents and the repository", .timeLimit(.minutes(5)))
struct ReadmeTests {
  @Test("The tour names every flow that is shipped", arguments: try FlowCatalogue.builtIn().descriptions.map(\.name))
  func tourNamesEveryFlow(name: String) throws {
    #expect(try Checkout.lines(of: "Docs/tour.md").contains { $0.contains("`\(name)`") })
  }

  @Test("Links between documents resolve", arguments: try Checkout.documents())
  func linksBetweenDocumentsResolve(document: String) throws {
    let directory = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for line in try Checkout.lines(of: document) {
      for match in line.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
        #expect(Checkout.has(directory + match.output.1), "\(document) links to \(match.output.1)")
      }
    }
  }

  @Test("Paths from the top directory resolve", arguments: ["CONTRIBUTING.md", "Docs/architecture.md"])
  func pathsResolve(document: String) throws {
    let path =
      /`((?:Benchmarks|Docs|Examples|Fuzzing|Packaging|Python|Scripts|Sources|TestSupport|Tests|Translations|Trials|systemd)\/[^`\s]*)`/
    for line in try Checkout.lines(of: document) {
      for match in line.matches(of: path) {
        #expect(Checkout.has(String(match.output.1)), "\(document) names \(match.output.1)")
      }
    }
  }

  @Test("Swift files declare the names by which Docs/architecture.md links to them")
  func linkedNamesAreDeclared() throws {
    var count = 0
    for line in try Checkout.lines(of: "Docs/architecture.md") {
      for match in line.matches(of: /\[`(?:\w+\.)*(\w+)`\]\(\.\.\/([^)]+\.swift)\)/) {
        let (name, path) = (String(match.output.1), String(match.output.2))
        let source = try Checkout.lines(of: path).joined(separator: "\n")
        let isDeclared = ["func", "struct", "enum", "class", "actor", "var"].contains { source.contains("\($0) \(name)") }
        #expect(isDeclared, "\(path) does not declare \(name)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  @Test("README.md can be read in three minutes: it has at most 700 words")
  func readmeIsShort() throws {
    let words = try Checkout.lines(of: "README.md").reduce(0) { $0 + $1.split(whereSeparator: \.isWhitespace).count }
    #expect(words <= 700)
  }

  @Test("The list of documents names each of them")
  func listOfDocumentsIsWhole() throws {
    let list = try Checkout.lines(of: "Docs/README.md").joined(separator: "\n")
    for document in try Checkout.documents() where document.hasPrefix("Docs/") && document != "Docs/README.md" {
      #expect(list.contains("(\(document.dropFirst("Docs/".count)))"), "Docs/README.md does not name \(document)")
    }
  }
}
