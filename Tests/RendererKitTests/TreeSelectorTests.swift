import DBus
import Testing

@testable import RendererKit

@Suite("The selection of a flow tree", .timeLimit(.minutes(5)))
struct TreeSelectorTests {
  private let pets1: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"
  private let pets12: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_12"
  private let shop: ObjectPath = "/org/coordinatord/Coordinator1/flows/shop_1"
  private var all: [ObjectPath] { [pets1, pets12, shop] }

  @Test("A tree is found by its path, its name, or a prefix of its name")
  func treeIsFoundByPathNameOrPrefix() throws {
    #expect(try TreeSelector.root(shop.string, among: all) == shop)
    #expect(try TreeSelector.root("shop_1", among: all) == shop)
    #expect(try TreeSelector.root("sh", among: all) == shop)
    #expect(try TreeSelector.root("pets_1", among: all) == pets1)
    #expect(try TreeSelector.root(pets1.string + "/schedule_visit_1", among: all) == pets1)
  }

  @Test("The only active tree is the default")
  func onlyTreeIsTheDefault() throws {
    #expect(try TreeSelector.root(nil, among: [shop]) == shop)
    #expect(throws: TreeSelector.Failure.noneActive) { try TreeSelector.root(nil, among: []) }
    #expect(throws: TreeSelector.Failure.several(["pets_1", "pets_12", "shop_1"])) {
      try TreeSelector.root(nil, among: all)
    }
  }

  @Test("An ambiguous or unknown name is refused")
  func ambiguousAndUnknownNamesAreRefused() {
    #expect(throws: TreeSelector.Failure.ambiguous("pets", ["pets_1", "pets_12"])) {
      try TreeSelector.root("pets", among: all)
    }
    #expect(throws: TreeSelector.Failure.unknown("shpo_1", suggestion: "shop_1")) {
      try TreeSelector.root("shpo_1", among: all)
    }
    #expect(throws: TreeSelector.Failure.self) { try TreeSelector.root("", among: all) }
  }

  @Test("A child is found by its path, or by its name below a root")
  func childIsFoundByPathOrRootName() throws {
    let child = try pets1.appending("schedule_visit_1")
    #expect(try TreeSelector.coordinator("pets_1/schedule_visit_1", among: all) == child)
    #expect(try TreeSelector.coordinator(child.string, among: []) == child)
    #expect(try TreeSelector.coordinator("shop", among: all) == shop)
    #expect(throws: TreeSelector.Failure.self) { try TreeSelector.coordinator("pets_1/", among: all) }
    #expect(throws: TreeSelector.Failure.self) { try TreeSelector.coordinator("/", among: all) }
  }

  @Test("A name that is opened means a running tree or a flow to start")
  func targetIsATreeOrAFlowToStart() throws {
    let flows = ["pets", "shop"]
    #expect(try OpenTarget("pets", active: all, flows: flows) == .start("pets"))
    #expect(try OpenTarget("pets_1", active: all, flows: flows) == .attach(pets1))
    #expect(try OpenTarget("shop_", active: all, flows: flows) == .attach(shop))
    #expect(try OpenTarget(shop.string, active: [], flows: flows) == .attach(shop))
    #expect(try OpenTarget(nil, active: [shop], flows: flows) == .attach(shop))
    // Only the daemon knows whether a script of this name is not served yet.
    #expect(try OpenTarget("coffee", active: all, flows: flows) == .start("coffee"))
    #expect(ToolSession.advice("pets_2", among: [], trees: [pets1]) == ["  did you mean 'pets_1'?"])
  }
}
