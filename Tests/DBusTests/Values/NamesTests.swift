import DBus
import Testing

@Suite("Names")
struct NamesTests {
  static let long = String(repeating: "x", count: 255 - 2)

  @Test(
    "An interface, and an error name, has two elements or more of letters, digits and underscores",
    arguments: [
      ("org.freedesktop.DBus", true), ("a.b", true), ("_a._9", true), ("A.b.C", true), ("a." + long, true), ("a.b" + long, false),
      ("", false), ("a", false), (".a", false), ("a.", false), ("a..b", false), (".", false), ("a.9b", false), ("9a.b", false),
      ("a-b.c", false), ("a.b c", false), ("a.é", false), ("a.b\0", false), ("a.b\n", false), (":a.b", false), ("a/b.c", false),
    ])
  func interfaces(name: String, isValid: Bool) {
    #expect(Names.isInterface(name) == isValid)
    #expect(Names.isErrorName(name) == isValid)
  }

  @Test(
    "A member is one element",
    arguments: [
      ("GetAll", true), ("_", true), ("a9", true), (long + "xx", true), (long + "xxx", false), ("", false), ("9a", false),
      ("a.b", false), ("a-b", false), ("ü", false), ("a\0", false),
    ])
  func members(name: String, isValid: Bool) { #expect(Names.isMember(name) == isValid) }

  @Test(
    "A bus name is unique or well-known, and may hold hyphens",
    arguments: [
      ("org.example.A-b", true, false), ("a._9-", true, false), (":1.42", true, true), (":a.b", true, true),
      (":1-2.3", true, true),
      ("a." + long, true, false), (":1." + long, false, false), ("", false, false), (":", false, false), (":1", false, false),
      (":1.", false, false), (":.1", false, false), ("1.2", false, false), ("a.9", false, false), ("a", false, false),
      ("::1.2", false, false), ("a.b:", false, false), ("a.b\0", false, false),
    ])
  func busNames(name: String, isValid: Bool, isUnique: Bool) {
    #expect(Names.isBusName(name) == isValid)
    #expect(Names.isUniqueName(name) == isUnique)
    #expect(Names.isWellKnownName(name) == (isValid && !isUnique))
  }

  @Test(
    "A path is a slash, or elements each led by one",
    arguments: [
      ("/", true), ("/a", true), ("/a/_9/B", true), ("/9", true), ("/" + String(repeating: "a/", count: 5000) + "a", true),
      ("", false), ("a", false), ("//", false), ("/a/", false), ("/a//b", false), ("/a-b", false), ("/a.b", false), ("/é", false),
      ("/a\0", false), ("/a b", false),
    ])
  func paths(path: String, isValid: Bool) { #expect(Names.isPath(path) == isValid) }

  @Test(
    "An element of a path holds letters, digits and underscores",
    arguments: [("a", true), ("9_", true), ("", false), ("/", false), ("a-", false), ("é", false)])
  func pathElements(element: String, isValid: Bool) { #expect(Names.isPathElement(element) == isValid) }

  @Test("The rules are those of libdbus, which ends a process that breaks them")
  func agreeWithLibDBus() {
    var random = RandomValues(seed: 1)
    for _ in 0..<4000 {
      let name = random.nameLike(length: 8)
      let agrees =
        Names.isInterface(name) == LibDBus.isInterface(name) && Names.isErrorName(name) == LibDBus.isErrorName(name)
        && Names.isMember(name) == LibDBus.isMember(name) && Names.isPath(name) == LibDBus.isPath(name)
        // libdbus takes unique names without a dot, which the specification does not know.
        && Names.isWellKnownName(name) == (LibDBus.isBusName(name) && !name.hasPrefix(":"))
        && (!Names.isUniqueName(name) || LibDBus.isBusName(name))
      guard agrees else {
        Issue.record("libdbus thinks otherwise of \(name.debugDescription)")
        return
      }
    }
  }

  @Test("A wrong name is told together with what it should have been", arguments: InvalidName.Kind.allCases)
  func errors(kind: InvalidName.Kind) {
    #expect(throws: InvalidName("a b", as: kind)) { try Names.check("a b", as: kind) }
    #expect(InvalidName("a b", as: kind).description == "\"a b\" is not a valid \(kind.rawValue)")
  }

  @Test("What a wrong name says in a log is one short line")
  func descriptions() {
    #expect(InvalidName("a\n\u{1B}[2J\0\"", as: .member).description == #""a\n\u{1B}[2J\0\"" is not a valid member"#)
    #expect(InvalidName(String(repeating: "é", count: 10_000), as: .member).description.utf8.count < 700)
  }
}
