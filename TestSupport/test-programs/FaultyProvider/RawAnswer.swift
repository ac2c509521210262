import DBus

/// The answer to `Decide`.
struct RawAnswer: Sendable {
  var state: String
  var operations: [[String: Value]] = []
  var screens: [String: [String: Value]] = [:]

  /// The answer as it is sent on the bus.
  var value: Value {
    .vardict([
      "state": .string(state), "do": .vardicts(operations), "screens": .vardict(screens.mapValues { .vardict($0) }),
    ])
  }

  /// Adds an operation.
  mutating func add(_ name: String, _ rest: [String: Value] = [:]) {
    operations.append(rest.merging(["op": .string(name)]) { $1 })
  }

  /// Presents a screen, or describes it again if it is already shown.
  mutating func show(_ screen: RawScreen, to question: RawQuestion, isDescribed: Bool = true) {
    if !question.screens.contains(screen.key) { add("present", ["key": .string(screen.key)]) }
    if isDescribed { screens[screen.key] = screen.values }
  }
}

/// A screen of the flow.
struct RawScreen: Sendable {
  let key: String
  let values: [String: Value]

  /// Returns a menu or a message.
  static func menu(_ key: String, _ title: String, _ actions: String..., kind: String = "menu") -> RawScreen {
    menu(key, title, actions: actions, kind: kind)
  }

  /// Returns a menu or a message.
  static func menu(_ key: String, _ title: String, actions: [String], kind: String = "menu") -> RawScreen {
    let actions = actions.map { ["id": Value.string($0), "title": .string($0), "role": .string("primary")] }
    return RawScreen(
      key: key,
      values: ["kind": .string(kind), "name": .string(key), "title": .string(title), "actions": .vardicts(actions)])
  }

  /// Returns the form with the password.
  static func form(isBusy: Bool, problem: String = "") -> RawScreen {
    func action(_ id: String, _ role: String) -> [String: Value] {
      ["id": .string(id), "title": .string(id), "role": .string(role)]
    }
    func text(_ title: String, _ rest: [String: Value]) -> Value {
      .vardict(rest.merging(["type": .string("string"), "title": .string(title)]) { $1 })
    }
    var values: [String: Value] = [
      "kind": .string("form"), "name": .string("form"), "title": .string("Who are you?"), "body": .string(problem),
      "actions": .vardicts([action("submit", "primary"), action("keep", "primary"), action("stop", "cancel")]),
      "fields": .strings(["password"]),
      "schema": .vardict([
        "type": .string("object"), "required": .strings(["password"]),
        "properties": .vardict([
          "password": text(
            "Password", ["writeOnly": .boolean(true), "minLength": .int64(8), "maxLength": .int64(16)])
        ]),
      ]),
    ]
    if isBusy { values["busy"] = .string("Signing in") }
    return RawScreen(key: "form", values: values)
  }
}
