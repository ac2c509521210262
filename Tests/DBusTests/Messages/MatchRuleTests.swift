import DBus
import Testing

@Suite("Match rules")
struct MatchRuleTests {
  @Test("A rule is written with its keys in a fixed order")
  func writing() {
    let rule = MatchRule(
      sender: "a.b", pathNamespace: "/p", interface: "c.d", member: "M", arguments: [10: "x", 2: "y"], argumentPaths: [1: "/z/"],
      arg0Namespace: "e.f", destination: ":1.2")
    #expect(
      rule.string
        == "type='signal',sender='a.b',destination=':1.2',path_namespace='/p',interface='c.d',member='M',arg2='y',arg10='x'"
        + ",arg1path='/z/',arg0namespace='e.f'")
    #expect(MatchRule(type: nil, path: "/").string == "path='/'")
    #expect(MatchRule(type: nil).string == "")
    #expect(rule.description == rule.string)
  }

  @Test(
    "Each kind of message has its name",
    arguments: zip(MatchRule.MessageType.allCases, ["signal", "method_call", "method_return", "error"]))
  func types(type: MatchRule.MessageType, name: String) { #expect(MatchRule(type: type).string == "type='\(name)'") }

  @Test(
    "An apostrophe is written outside of the apostrophes, and nothing else is special",
    arguments: [
      ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("", "''"), (#"\"#, #"'\'"#), (",arg1='x", #"',arg1='\''x'"#), ("é\n", "'é\n'"),
      ("'\u{301}", "''\\''\u{301}'"),
    ])
  func quoting(text: String, quoted: String) {
    #expect(Array(MatchRule(type: nil, arguments: [0: text]).string.unicodeScalars) == Array("arg0=\(quoted)".unicodeScalars))
  }

  @Test(
    "A rule that the bus would refuse is refused before",
    arguments: [
      (MatchRule(sender: "a"), InvalidMatchRule.name(InvalidName("a", as: .busName))),
      (MatchRule(destination: "x y"), .name(InvalidName("x y", as: .busName))),
      (MatchRule(interface: "a"), .name(InvalidName("a", as: .interface))),
      (MatchRule(member: "a.b"), .name(InvalidName("a.b", as: .member))),
      (MatchRule(arg0Namespace: "a."), .name(InvalidName("a.", as: .busName))),
      (MatchRule(arg0Namespace: ""), .name(InvalidName("", as: .busName))),
      (MatchRule(path: "/a", pathNamespace: "/a"), .twoPaths), (MatchRule(arguments: [64: ""]), .argumentPosition(64)),
      (MatchRule(argumentPaths: [-1: ""]), .argumentPosition(-1)), (MatchRule(arguments: [0: "a\0"]), .nulInString),
      (MatchRule(arguments: [0: String(repeating: "x", count: 1024)]), .tooLong),
    ])
  func invalid(rule: MatchRule, reason: InvalidMatchRule) {
    #expect(throws: reason) { try rule.validated() }
    #expect(!reason.description.isEmpty)
  }

  @Test(
    "A rule that the bus takes is taken",
    arguments: [
      MatchRule(), MatchRule(sender: "org.freedesktop.DBus"), MatchRule(sender: ":1.2"), MatchRule(arg0Namespace: "org"),
      MatchRule(arguments: [0: "", 63: "it's"], argumentPaths: [0: "/a/"]), MatchRule(path: "/", interface: "a.b", member: "C"),
      MatchRule(type: nil, arguments: [0: String(repeating: "x", count: 1017)]),
    ])
  func valid(rule: MatchRule) { #expect(throws: Never.self) { try rule.validated() } }

  @Test("The text of argument 0 has a name of its own")
  func arg0() {
    var rule = MatchRule(arguments: [0: "a"])
    #expect(rule.arg0 == "a")
    rule.arg0 = nil
    #expect(rule.arguments.isEmpty)
  }
}
