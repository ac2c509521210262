import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@Suite("Presented screens on the bus", .timeLimit(.minutes(5)))
struct PresentedScreenTests {
  static let root: ObjectPath = "/org/coordinatord/Coordinator1/flows/account_1"

  static func presented(_ screen: Screen) -> PresentedScreen {
    PresentedScreen(id: 3, coordinator: root, style: .push, layer: 1, back: true, screen: screen)
  }

  static func form() throws -> Screen {
    let name = try Schema(json: ["type": "string", "title": "Name", "minLength": 1])
    let age = try Schema(json: ["type": "integer", "title": "Age", "minimum": 0])
    return Screen(
      "register", kind: .form, title: "Register", body: "Who are you?",
      actions: [Action("submit", "Register", role: .primary), Action("cancel", "Cancel", role: .cancel)],
      form: Form([
        Field("name", name), Field("age", age, isRequired: false),
      ]),
      values: ["name": "Jo"],
      messages: [ScreenMessage(.error, code: "taken", text: "That name is taken.", field: "name")],
      progress: Progress(fraction: 0.5, text: "Asking"), accent: "#F5001C")
  }

  static let list = Screen(
    "products", kind: .list, title: "Products", actions: [Action("check-out", "Check out")],
    items: [Item("lamp", "Lamp", subtitle: "bright"), Item("desk", "Desk")])

  @Test("A presented screen survives a round trip over the bus")
  func screenRoundTripsOverTheBus() throws {
    for screen in [try Self.form(), Self.list, Screen("note", kind: .message, title: "Note")] {
      let presented = Self.presented(screen)
      #expect(try PresentedScreen(vardict: presented.vardict()) == presented)
      let overTheWire = try #require(Value.vardict(presented.vardict()).vardict)
      #expect(try PresentedScreen(vardict: overTheWire) == presented)
    }
  }

  @Test("A screen that is encoded for sending is the dictionary of the contract, its keys in order at each level")
  func sentScreenIsContractDictionary() throws {
    var go = Action("go", "Go", role: .primary)
    (go.summary, go.confirmation, go.disabled) = ("Now", "Sure?", "Not yet")
    let rich = Screen(
      "list", kind: .list, title: "List",
      actions: [.cancel("leave", "Leave"), go],
      items: [Item("a", "A", subtitle: "first", group: "letters", disabled: "gone"), Item("b", "B")])
    for screen in [try Self.form(), Self.list, rich, Screen("note", kind: .message, title: "Note")] {
      let presented = Self.presented(screen)
      #expect(presented.sayable == .vardict(try presented.vardict()))
      #expect(Self.isOrdered(presented.sayable))
      try presented.sayable.validated()
    }
    // Values that D-Bus cannot represent are left out.
    let unsayable = Screen("form", kind: .form, title: "Form", values: ["a": .string("\0")])
    #expect(Self.presented(unsayable).sayable == .vardict(Self.presented(unsayable).sayableVardict()))
  }

  /// Whether the keys of all dictionaries within a value are in order.
  private static func isOrdered(_ value: Value) -> Bool {
    switch value {
    case .variant(let content): return isOrdered(content)
    case .array(_, let elements): return elements.allSatisfy(isOrdered)
    case .dictionary(_, _, let entries):
      let keys = entries.compactMap(\.key.string)
      return keys == keys.sorted() && entries.allSatisfy { isOrdered($0.value) }
    default: return true
    }
  }

  @Test("A presented screen has exactly the keys and types of the contract")
  func screenHasContractKeysAndTypes() throws {
    let types = try Self.presented(Self.form()).vardict().mapValues(\.type.description)
    #expect(
      types == [
        "id": "t", "name": "s", "coordinator": "o", "style": "s", "layer": "u", "kind": "s", "title": "s", "body": "s",
        "actions": "aa{sv}", "schema": "a{sv}", "fields": "as", "values": "a{sv}", "messages": "aa{sv}",
        "progress": "a{sv}", "accent": "s", "back": "b",
      ])
    #expect(try Self.presented(Self.list).vardict()["items"]?.type.description == "aa{sv}")
  }

  @Test("A presented screen omits the keys of parts that it does not have")
  func missingPartsAreOmitted() throws {
    let keys = try Set(Self.presented(Screen("note", kind: .message, title: "Note")).vardict().keys)
    #expect(keys == ["id", "name", "coordinator", "style", "layer", "kind", "title", "body", "actions", "back"])
  }

  @Test("An empty list of items is sent, which differs from no list")
  func emptyListDiffersFromNoList() throws {
    let empty = Screen("products", kind: .list, title: "Products", items: [])
    let vardict = try Self.presented(empty).vardict()
    #expect(vardict["items"] == .vardicts([]))
    #expect(try PresentedScreen(vardict: vardict).screen.items == [])
  }

  @Test(
    "A screen without a required key is malformed",
    arguments: ["id", "name", "coordinator", "style", "layer", "kind", "title", "body", "actions", "back"])
  func missingRequiredKeyIsMalformed(key: String) throws {
    var vardict = try Self.presented(Self.list).vardict()
    vardict[key] = nil
    #expect(throws: MalformedScreen(key: key)) { try PresentedScreen(vardict: vardict) }
  }

  @Test(
    "A screen with a key of the wrong type is malformed",
    arguments: ["id", "style", "actions", "items", "schema", "fields", "values", "messages", "progress", "accent", "back"])
  func wronglyTypedKeyIsMalformed(key: String) throws {
    var vardict = try Self.presented(Self.form()).vardict()
    vardict[key] = .double(1)
    #expect(throws: MalformedScreen(key: key)) { try PresentedScreen(vardict: vardict) }
  }

  @Test("The error for a malformed screen names the inner key that is wrong")
  func malformedInnerKeyIsNamed() throws {
    var vardict = try Self.presented(Self.list).vardict()
    vardict["actions"] = .vardicts([["id": .string("x"), "title": .string("X"), "role": .string("king")]])
    #expect(throws: MalformedScreen(key: "actions.role")) { try PresentedScreen(vardict: vardict) }
  }

  @Test("A screen of an unknown kind says so and offers nothing but Back")
  func unknownKindOffersOnlyBack() throws {
    var vardict = try Self.presented(Self.form()).vardict()
    vardict["kind"] = .string("carousel")
    let presented = try PresentedScreen(vardict: vardict)
    #expect(presented.screen == .ofUnknownKind("register", title: "Register", body: "Who are you?"))
    #expect(presented.screen.messages.map(\.text) == [Screen.cannotBeShown])
    #expect(presented.screen.actions.isEmpty)
    #expect(presented.back == Self.presented(Self.list).back)
  }

  @Test("Unknown keys in a screen are ignored")
  func unknownKeysAreIgnored() throws {
    var vardict = try Self.presented(Self.list).vardict()
    vardict["icon"] = .string("lamp")
    #expect(try PresentedScreen(vardict: vardict) == Self.presented(Self.list))
  }
}
