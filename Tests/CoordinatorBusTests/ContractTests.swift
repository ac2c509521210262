import CoordinatorBus
import DBus
import Foundation
import TestBus
import Testing

@Suite("The D-Bus contract", .timeLimit(.minutes(5)))
struct ContractTests {
  /// `Docs/org.coordinatord.Coordinator1.xml` of this checkout.
  private func documented() throws -> NodeDescription {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "Docs/org.coordinatord.Coordinator1.xml")
    return try NodeDescription(parsing: String(contentsOf: file, encoding: .utf8))
  }

  @Test("The contract in Swift is identical to the documented XML")
  func swiftContractEqualsXML() throws {
    let node = try documented()
    #expect(node.path == Contract.rootPath)
    #expect(node.interfaces == [Contract.manager, Contract.coordinator, Contract.router])
  }

  @Test("The router's path is directly below its root coordinator")
  func routerIsBelowItsRoot() throws {
    let root = try Contract.flowPath(root: "pets_1")
    #expect(root.string == "/org/coordinatord/Coordinator1/flows/pets_1")
    #expect(try Contract.routerPath(of: root).string == "/org/coordinatord/Coordinator1/flows/pets_1/router")
  }

  @Test("A root name that is not a valid path element is refused", arguments: ["", "a-b", "a/b", "ä"])
  func invalidRootNameIsRefused(root: String) {
    #expect(throws: InvalidName.self) { try Contract.flowPath(root: root) }
  }

  @Test("The root is found from the path of any object in its tree")
  func rootIsFoundFromAnyPath() throws {
    let root = try Contract.flowPath(root: "pets_1")
    #expect(Contract.root(of: root) == root)
    #expect(Contract.root(of: try Contract.routerPath(of: root)) == root)
    #expect(Contract.root(of: try root.appending("schedule_visit_1").appending("x_2")) == root)
    #expect(Contract.root(of: Contract.flowsPath) == nil)
    #expect(Contract.root(of: "/org/coordinatord/Coordinator1/flowsX/pets_1") == nil)
    #expect(Contract.root(of: .root) == nil)
  }
}
