import DBus
import Testing

@Suite("D-Bus names", .timeLimit(.minutes(5)))
struct NamesTests {
  static let long = String(repeating: "x", count: 255 - 2)

  @Test(
    "An interface or error name has two or more elements of letters, digits, and underscores",
    arguments: [
      ("org.freedesktop.DBus", true), ("a.b", true), ("_a._9", true), ("A.b.C", true), ("a." + long, true), ("a.b" + long, false),
      ("", false), ("a", false), (".a", false), ("a.", false), ("a..b", false), (".", false), ("a.9b", false), ("9a.b", false),
      ("a-b.c", false), ("a.b c", false), ("a.é", false), ("a.b\0", false), ("a.b\n", false), (":a.b", false), ("a/b.c", false),
    ])
  func interfaceNameHasTwoOrMoreElements(name: String, isValid: Bool) {
    #expect(Names.isInterface(name) == isValid)
    #expect(Names.isErrorName(name) == isValid)
  }

  @Test(
    "A member name is a single element",
    arguments: [
      ("GetAll", true), ("_", true), ("a9", true), (long + "xx", true), (long + "xxx", false), ("", false), ("9a", false),
      ("a.b", false), ("a-b", false), ("ü", false), ("a\0", false),
    ])
  func memberNameIsOneElement(name: String, isValid: Bool) { #expect(Names.isMember(name) == isValid) }

  @Test(
    "A bus name is unique or well-known, and may contain hyphens",
    arguments: [
      ("org.example.A-b", true, false), ("a._9-", true, false), (":1.42", true, true), (":a.b", true, true),
      (":1-2.3", true, true),
      ("a." + long, true, false), (":1." + long, false, false), ("", false, false), (":", false, false), (":1", false, false),
      (":1.", false, false), (":.1", false, false), ("1.2", false, false), ("a.9", false, false), ("a", false, false),
      ("::1.2", false, false), ("a.b:", false, false), ("a.b\0", false, false),
    ])
  func busNameIsUniqueOrWellKnown(name: String, isValid: Bool, isUnique: Bool) {
    #expect(Names.isBusName(name) == isValid)
    #expect(Names.isUniqueName(name) == isUnique)
    #expect(Names.isWellKnownName(name) == (isValid && !isUnique))
  }

  @Test(
    "An object path is a slash, or elements that each follow a slash",
    arguments: [
      ("/", true), ("/a", true), ("/a/_9/B", true), ("/9", true), ("/" + String(repeating: "a/", count: 5000) + "a", true),
      ("", false), ("a", false), ("//", false), ("/a/", false), ("/a//b", false), ("/a-b", false), ("/a.b", false), ("/é", false),
      ("/a\0", false), ("/a b", false),
    ])
  func objectPathIsSlashOrElements(path: String, isValid: Bool) { #expect(Names.isPath(path) == isValid) }

  @Test(
    "A path element consists of letters, digits, and underscores",
    arguments: [
      ("azAZ09_", true), ("9_", true), ("", false), ("/", false), ("a-", false), ("é", false), ("a@", false), ("a[", false),
      ("a`", false), ("a{", false), ("a:", false), ("a\u{7F}", false), ("a\u{1A}", false), ("a\u{10}", false),
    ])
  func pathElementHasLimitedAlphabet(element: String, isValid: Bool) { #expect(Names.isPathElement(element) == isValid) }

  @Test("The rules for names agree with libdbus, which aborts a process that breaks them")
  func nameRulesAgreeWithLibdbus() {
    var random = RandomValues(seed: 1)
    for _ in 0..<4000 {
      let name = random.nameLike(length: 8)
      let agrees =
        Names.isInterface(name) == LibDBus.isInterface(name) && Names.isErrorName(name) == LibDBus.isErrorName(name)
        && Names.isMember(name) == LibDBus.isMember(name) && Names.isPath(name) == LibDBus.isPath(name)
        // libdbus accepts unique names without a dot, which the specification does not allow.
        && Names.isWellKnownName(name) == (LibDBus.isBusName(name) && !name.hasPrefix(":"))
        && (!Names.isUniqueName(name) || LibDBus.isBusName(name))
      guard agrees else {
        Issue.record("libdbus thinks otherwise of \(name.debugDescription)")
        return
      }
    }
  }

  @Test("The error for an invalid name states the name and its expected kind", arguments: InvalidName.Kind.allCases)
  func invalidNameErrorStatesItsKind(kind: InvalidName.Kind) {
    #expect(throws: InvalidName("a b", as: kind)) { try Names.check("a b", as: kind) }
    #expect(InvalidName("a b", as: kind).description == "\"a b\" is not a valid \(kind.rawValue)")
  }

  @Test("The description of an invalid name is one short line")
  func invalidNameIsLoggedOnOneLine() {
    #expect(InvalidName("a\n\u{1B}[2J\0\"", as: .member).description == #""a\n\u{1B}[2J\0\"" is not a valid member"#)
    #expect(InvalidName(String(repeating: "é", count: 10_000), as: .member).description.utf8.count < 700)
  }
}
