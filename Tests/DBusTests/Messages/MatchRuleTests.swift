import DBus
import Testing

@Suite("Match rules", .timeLimit(.minutes(5)))
struct MatchRuleTests {
  @Test("A match rule is written with its keys in a fixed order")
  func keysAreWrittenInFixedOrder() {
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
    "Every message type has its specified name in a match rule",
    arguments: zip(MatchRule.MessageType.allCases, ["signal", "method_call", "method_return", "error"]))
  func messageTypesHaveSpecifiedNames(type: MatchRule.MessageType, name: String) {
    #expect(MatchRule(type: type).string == "type='\(name)'")
  }

  @Test(
    "In a match rule, an apostrophe is written outside of the quotes, and no other character is special",
    arguments: [
      ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("", "''"), (#"\"#, #"'\'"#), (",arg1='x", #"',arg1='\''x'"#), ("é\n", "'é\n'"),
      ("'\u{301}", "''\\''\u{301}'"),
    ])
  func apostropheIsWrittenOutsideQuotes(text: String, quoted: String) {
    #expect(Array(MatchRule(type: nil, arguments: [0: text]).string.unicodeScalars) == Array("arg0=\(quoted)".unicodeScalars))
  }

  @Test(
    "A match rule that the bus would refuse is refused",
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
  func invalidMatchRuleIsRefused(rule: MatchRule, reason: InvalidMatchRule) {
    #expect(throws: reason) { try rule.validated() }
    #expect(!reason.description.isEmpty)
  }

  @Test(
    "A match rule that the bus accepts is accepted",
    arguments: [
      MatchRule(), MatchRule(sender: "org.freedesktop.DBus"), MatchRule(sender: ":1.2"), MatchRule(arg0Namespace: "org"),
      MatchRule(arguments: [0: "", 63: "it's"], argumentPaths: [0: "/a/"]), MatchRule(path: "/", interface: "a.b", member: "C"),
      MatchRule(type: nil, arguments: [0: String(repeating: "x", count: 1017)]),
    ])
  func validMatchRuleIsAccepted(rule: MatchRule) { #expect(throws: Never.self) { try rule.validated() } }

  @Test("The match on string argument 0 has its own property")
  func argumentZeroHasShorthand() {
    var rule = MatchRule(arguments: [0: "a"])
    #expect(rule.arg0 == "a")
    rule.arg0 = nil
    #expect(rule.arguments.isEmpty)
  }
}
