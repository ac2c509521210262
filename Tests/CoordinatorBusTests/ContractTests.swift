import CoordinatorBus
import DBus
import IntrospectionParsing
import Foundation
import Testing

@Suite("The contract")
struct ContractTests {
  /// `Docs/org.coordinatord.Coordinator1.xml` of this checkout.
  private func documented() throws -> NodeDescription {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "Docs/org.coordinatord.Coordinator1.xml")
    return try NodeDescription(parsing: String(contentsOf: file, encoding: .utf8))
  }

  @Test("is described in Swift exactly as in the XML")
  func equalsXML() throws {
    let node = try documented()
    #expect(node.path == Contract.rootPath)
    #expect(node.interfaces == [Contract.manager, Contract.coordinator, Contract.router])
  }

  @Test("puts a router below its root coordinator")
  func paths() throws {
    let root = try Contract.flowPath(root: "pets_1")
    #expect(root.string == "/org/coordinatord/Coordinator1/flows/pets_1")
    #expect(try Contract.routerPath(of: root).string == "/org/coordinatord/Coordinator1/flows/pets_1/router")
  }

  @Test("refuses a root that is no element of a path", arguments: ["", "a-b", "a/b", "ä"])
  func badRoot(root: String) {
    #expect(throws: InvalidName.self) { try Contract.flowPath(root: root) }
  }

  @Test("finds the root of any object of a tree")
  func rootOfPath() throws {
    let root = try Contract.flowPath(root: "pets_1")
    #expect(Contract.root(of: root) == root)
    #expect(Contract.root(of: try Contract.routerPath(of: root)) == root)
    #expect(Contract.root(of: try root.appending("schedule_visit_1").appending("x_2")) == root)
    #expect(Contract.root(of: Contract.flowsPath) == nil)
    #expect(Contract.root(of: "/org/coordinatord/Coordinator1/flowsX/pets_1") == nil)
    #expect(Contract.root(of: .root) == nil)
  }
}
