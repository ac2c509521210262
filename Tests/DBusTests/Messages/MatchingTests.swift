import DBus
import Testing

@Suite("Matching of signals", .timeLimit(.minutes(5)))
struct MatchingTests {
  private static let signal = SignalMessage(
    sender: ":1.5", path: "/org/example/foo", interface: "org.example.I", member: "Changed",
    body: [.string("org.example.name"), .objectPath("/aa/bb"), .uint32(3), .string("/aa/bb")])

  @Test(
    "A signal matches a rule only if it matches every key of the rule",
    arguments: [
      (MatchRule(), true), (MatchRule(type: nil), true), (MatchRule(type: .methodCall), false), (MatchRule(sender: ":1.5"), true),
      (MatchRule(sender: ":1.6"), false), (MatchRule(sender: "org.freedesktop.DBus"), false),
      (MatchRule(path: "/org/example/foo"), true), (MatchRule(path: "/org/example"), false),
      (MatchRule(interface: "org.example.I"), true),
      (MatchRule(interface: "org.example"), false), (MatchRule(member: "Changed"), true), (MatchRule(member: "changed"), false),
      (MatchRule(sender: ":1.5", path: "/org/example/foo", interface: "org.example.I", member: "Changed"), true),
      (MatchRule(sender: ":1.5", path: "/org/example/foo", interface: "org.example.I", member: "Other"), false),
      (MatchRule(destination: ":1.9"), true),
    ])
  func signalMustMatchEveryKey(rule: MatchRule, matches: Bool) { #expect(rule.matches(Self.signal) == matches) }

  @Test(
    "A path namespace matches the path itself and all paths below it",
    arguments: [
      ("/org/example/foo", true), ("/org/example", true), ("/", true), ("/org/example/foo/bar", false),
      ("/org/example/fo", false),
      ("/org/exam", false),
    ])
  func pathNamespaceIncludesItselfAndBelow(namespace: String, matches: Bool) throws {
    #expect(try MatchRule(pathNamespace: ObjectPath(namespace)).matches(Self.signal) == matches)
  }

  @Test(
    "Only string arguments are compared with a match rule",
    arguments: [
      ([0: "org.example.name"], true), ([0: "org.example"], false), ([1: "/aa/bb"], false), ([2: "3"], false),
      ([3: "/aa/bb"], true),
      ([4: ""], false), ([-1: ""], false), ([0: "org.example.name", 3: "/aa/bb"], true), ([0: "org.example.name", 3: ""], false),
    ])
  func onlyStringArgumentsAreCompared(texts: [Int: String], matches: Bool) {
    #expect(MatchRule(arguments: texts).matches(Self.signal) == matches)
  }

  /// Includes the examples of the specification.
  @Test(
    "A path argument matches if both are equal, or if one ends in a slash and is a prefix of the other",
    arguments: [
      ("/aa/bb/", "/", true), ("/aa/bb/", "/aa/", true), ("/aa/bb/", "/aa/bb/", true), ("/aa/bb/", "/aa/bb/cc/", true),
      ("/aa/bb/", "/aa/bb/cc", true), ("/aa/bb/", "/aa/b", false), ("/aa/bb/", "/aa", false), ("/aa/bb/", "/aa/bb", false),
      ("/aa/bb", "/aa/bb", true), ("/aa/bb", "/aa/bb/cc", false), ("/aa/bb", "/aa/", true), ("/aa/bb", "/aa/bb/", false),
      ("", "", true),
    ])
  func argumentPathMatchesEqualOrPrefix(expected: String, actual: String, matches: Bool) {
    let signal = SignalMessage(sender: ":1.5", path: "/", interface: "a.b", member: "C", body: [.string(actual)])
    #expect(MatchRule(argumentPaths: [0: expected]).matches(signal) == matches)
  }

  @Test("A path argument may be a string or an object path")
  func argumentPathIsStringOrObjectPath() {
    #expect(MatchRule(argumentPaths: [1: "/aa/"]).matches(Self.signal))
    #expect(MatchRule(argumentPaths: [3: "/aa/"]).matches(Self.signal))
    #expect(!MatchRule(argumentPaths: [2: "/aa/"]).matches(Self.signal))
    #expect(!MatchRule(argumentPaths: [9: "/aa/"]).matches(Self.signal))
  }

  @Test(
    "A namespace of argument 0 matches the name itself and names with more elements",
    arguments: [
      ("org.example.name", true), ("org.example", true), ("org", true), ("org.exam", false), ("org.example.name.x", false),
    ])
  func argumentNamespaceIncludesItselfAndBelow(namespace: String, matches: Bool) {
    #expect(MatchRule(arg0Namespace: namespace).matches(Self.signal) == matches)
  }

  @Test("A namespace of argument 0 matches only a string", arguments: [[], [Value.objectPath("/a")]])
  func argumentNamespaceNeedsString(body: [Value]) {
    let signal = SignalMessage(sender: ":1.5", path: "/", interface: "a.b", member: "C", body: body)
    #expect(!MatchRule(arg0Namespace: "a").matches(signal))
  }

  @Test("A well-known sender is compared by its owner if that is known")
  func wellKnownSenderIsComparedByOwner() {
    let rule = MatchRule(sender: "org.example.Service")
    #expect(rule.matches(Self.signal, senderOwner: ":1.5"))
    #expect(!rule.matches(Self.signal, senderOwner: ":1.6"))
    #expect(rule.matches(Self.signal))
    let fromBus = SignalMessage(sender: "org.freedesktop.DBus", path: "/", interface: "a.b", member: "C")
    #expect(MatchRule(sender: "org.freedesktop.DBus").matches(fromBus))
  }
}
