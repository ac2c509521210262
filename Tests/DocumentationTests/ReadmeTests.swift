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
