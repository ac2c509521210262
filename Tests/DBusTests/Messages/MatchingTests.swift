import DBus
import Testing

@Suite("Matching signals")
struct MatchingTests {
  private static let signal = SignalMessage(
    sender: ":1.5", path: "/org/example/foo", interface: "org.example.I", member: "Changed",
    body: [.string("org.example.name"), .objectPath("/aa/bb"), .uint32(3), .string("/aa/bb")])

  @Test(
    "Everything that a rule asks about must be so",
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
  func keys(rule: MatchRule, matches: Bool) { #expect(rule.matches(Self.signal) == matches) }

  @Test(
    "A path namespace is the path itself and all below it",
    arguments: [
      ("/org/example/foo", true), ("/org/example", true), ("/", true), ("/org/example/foo/bar", false),
      ("/org/example/fo", false),
      ("/org/exam", false),
    ])
  func pathNamespace(namespace: String, matches: Bool) throws {
    #expect(try MatchRule(pathNamespace: ObjectPath(namespace)).matches(Self.signal) == matches)
  }

  @Test(
    "Only a string is compared as an argument",
    arguments: [
      ([0: "org.example.name"], true), ([0: "org.example"], false), ([1: "/aa/bb"], false), ([2: "3"], false),
      ([3: "/aa/bb"], true),
      ([4: ""], false), ([-1: ""], false), ([0: "org.example.name", 3: "/aa/bb"], true), ([0: "org.example.name", 3: ""], false),
    ])
  func arguments(texts: [Int: String], matches: Bool) {
    #expect(MatchRule(arguments: texts).matches(Self.signal) == matches)
  }

  /// The examples of the specification, and some more.
  @Test(
    "A path argument is the same, or begins with the other one that ends in a slash",
    arguments: [
      ("/aa/bb/", "/", true), ("/aa/bb/", "/aa/", true), ("/aa/bb/", "/aa/bb/", true), ("/aa/bb/", "/aa/bb/cc/", true),
      ("/aa/bb/", "/aa/bb/cc", true), ("/aa/bb/", "/aa/b", false), ("/aa/bb/", "/aa", false), ("/aa/bb/", "/aa/bb", false),
      ("/aa/bb", "/aa/bb", true), ("/aa/bb", "/aa/bb/cc", false), ("/aa/bb", "/aa/", true), ("/aa/bb", "/aa/bb/", false),
      ("", "", true),
    ])
  func argumentPaths(expected: String, actual: String, matches: Bool) {
    let signal = SignalMessage(sender: ":1.5", path: "/", interface: "a.b", member: "C", body: [.string(actual)])
    #expect(MatchRule(argumentPaths: [0: expected]).matches(signal) == matches)
  }

  @Test("A path argument is a string or an object path")
  func argumentPathTypes() {
    #expect(MatchRule(argumentPaths: [1: "/aa/"]).matches(Self.signal))
    #expect(MatchRule(argumentPaths: [3: "/aa/"]).matches(Self.signal))
    #expect(!MatchRule(argumentPaths: [2: "/aa/"]).matches(Self.signal))
    #expect(!MatchRule(argumentPaths: [9: "/aa/"]).matches(Self.signal))
  }

  @Test(
    "A namespace of argument 0 is the name itself and what has more elements",
    arguments: [
      ("org.example.name", true), ("org.example", true), ("org", true), ("org.exam", false), ("org.example.name.x", false),
    ])
  func arg0Namespace(namespace: String, matches: Bool) {
    #expect(MatchRule(arg0Namespace: namespace).matches(Self.signal) == matches)
  }

  @Test("A namespace of argument 0 needs a string there", arguments: [[], [Value.objectPath("/a")]])
  func arg0NamespaceTypes(body: [Value]) {
    let signal = SignalMessage(sender: ":1.5", path: "/", interface: "a.b", member: "C", body: body)
    #expect(!MatchRule(arg0Namespace: "a").matches(signal))
  }

  @Test("A well-known sender is compared by its owner, where that is known")
  func wellKnownSender() {
    let rule = MatchRule(sender: "org.example.Service")
    #expect(rule.matches(Self.signal, senderOwner: ":1.5"))
    #expect(!rule.matches(Self.signal, senderOwner: ":1.6"))
    #expect(rule.matches(Self.signal))
    let fromBus = SignalMessage(sender: "org.freedesktop.DBus", path: "/", interface: "a.b", member: "C")
    #expect(MatchRule(sender: "org.freedesktop.DBus").matches(fromBus))
  }
}
