import CoordinatorKit
import TestBus
import Testing

@testable import RendererKit

@Suite("The text of an entry of a list", .timeLimit(.minutes(5)))
struct EntryTextTests {
  private let host = Schema.object(
    Field("ip", .ipAddress(title: "IP address")), Field("label", .string(title: "Label")).optional,
    Field("port", .integer(title: "Port", range: 1...65535)).optional,
    Field("spare", .boolean(title: "Spare")).optional)

  @Test(
    "An entry is written as assignments or as JSON, and gets the types of its fields",
    arguments: [
      ("ip=192.0.2.1 port=80", ["ip": "192.0.2.1", "port": 80]),
      ("  ip=::1   label=\"my \\\"own\\\" host\" spare=true", ["ip": "::1", "label": "my \"own\" host", "spare": true]),
      ("{\"ip\": \"192.0.2.1\", \"port\": 80}", ["ip": "192.0.2.1", "port": 80]),
      ("ip=a=b port=many colour=red", ["ip": "a=b", "port": "many", "colour": "red"]), ("ip=", ["ip": ""]),
    ] as [(String, JSONValue)])
  func entryIsReadFromALine(line: String, entry: JSONValue) {
    #expect(EntryText.value(of: line, in: host) == entry)
  }

  @Test(
    "A line that is neither assignments nor a JSON object stays text, which is refused",
    arguments: ["192.0.2.1", "ip=a ip=b", "=a", "{\"ip\": ", "[1]", "ip=\"open", "ip=\"a\"b", "a b=c", ""])
  func unreadableLineStaysText(line: String) {
    #expect(EntryText.value(of: line, in: host) == .string(line.trimmed))
    let answer = FieldAnswer(line, for: Field("hosts", .array(of: host, title: "Hosts", count: 1...)), offered: nil)
    guard case .wrong = answer else {
      Issue.record("\(answer)")
      return
    }
  }

  @Test(
    "An entry is written as the line that is read as the same entry",
    arguments: [
      (["port": 80, "ip": "192.0.2.1"], "ip=192.0.2.1 port=80"), (["label": ""], "label=\"\""),
      (["label": "a \"b\" \\"], "label=\"a \\\"b\\\" \\\\\""), (["label": "a\nb"], "{\"label\":\"a\\nb\"}"),
      (["label": "\"x"], "label=\"\\\"x\""), (["a b": "c"], "{\"a b\":\"c\"}"), (["spare": false], "spare=false"),
    ] as [(JSONValue, String)])
  func entryIsWrittenAsALine(entry: JSONValue, line: String) {
    #expect(EntryText.text(of: entry, in: host) == line)
    #expect(EntryText.value(of: line, in: host) == entry)
  }

  @Test("The example of an entry is one that its schema accepts")
  func sampleIsAccepted() {
    #expect(EntryText.sample(of: host) == "ip=192.0.2.1 label=text port=1 spare=true")
    let field = Field("hosts", .array(of: host, title: "Hosts"))
    let entries: JSONValue = [["ip": "192.0.2.1", "label": "text", "port": 1, "spare": true]]
    #expect(FieldAnswer(EntryText.sample(of: host), for: field, offered: nil) == .value(entries))
    #expect(FieldText.value(of: "ip=192.0.2.1", in: field.schema) == [["ip": "192.0.2.1"]])
    #expect(FieldText.text(of: [["ip": "a"], ["ip": "b", "port": 2]], in: field.schema) == "ip=a; ip=b port=2")
    #expect(FieldText.kind(of: field.schema) == "'ip=TEXT label=TEXT port=INTEGER spare=true|false'...")
  }

  @Test("Several lines are the entries of a list, and the reason names the entry that is wrong")
  func linesAreEntries() {
    let field = Field("hosts", .array(of: host, title: "Hosts"))
    #expect(FieldAnswer("ip=192.0.2.1\n\n ip=::1 \n", for: field, offered: nil) == .value([["ip": "192.0.2.1"], ["ip": "::1"]]))
    #expect(FieldAnswer("ip=192.0.2.1\nport=1", for: field, offered: nil) == .wrong("Hosts, entry 2: IP address is required"))
    #expect(FieldAnswer("ip=192.0.2.1\nhello", for: field, offered: nil) == .wrong("Hosts, entry 2 must be an entry with fields"))
  }

  @Test(
    "The value of a field cannot set another field of its entry, whatever mark is beside a quotation mark",
    arguments: [
      "\u{338} b=evil c=\"", "\u{301} b=x", "\u{338} b=evil c=\\\"", "\u{301}\" b=x", "x\"\u{301} b=x", "\\\u{301}\" b=x",
    ]
      + HostileText.extenders.flatMap { ["\($0) b=evil c=\"", "\"\($0) b=evil", " \($0)b=evil", "\\\($0)\" b=evil"] })
  func valueSetsNoOtherField(value: String) {
    let schema = Schema.object(
      Field("a", .string(title: "A")), Field("b", .string(title: "B")).optional, Field("c", .string(title: "C")).optional)
    for entry: [String: JSONValue] in [
      ["a": .string(value)], ["a": .string(value), "b": "user"], ["c": .string(value), "a": ""],
    ] {
      let read = EntryText.value(of: EntryText.text(of: .object(entry), in: schema), in: schema)
      #expect(read == .object(entry))
      for (name, value) in entry { #expect(read[name]?.string.map { Array($0.utf8) } == value.string.map { Array($0.utf8) }) }
    }
  }

  @Test("Each special character in a value, with whatever mark, is read as it was written")
  func combinationsAreReadAsWritten() {
    let schema = Schema.object(Field("a", .string(title: "A")), Field("b", .string(title: "B")).optional)
    for text in HostileText.combinations {
      let read = EntryText.value(of: EntryText.text(of: ["a": .string(text), "b": "c"], in: schema), in: schema)
      #expect(read["a"]?.string.map { Array($0.utf8) } == Array(text.utf8), "\(text.debugDescription)")
      #expect(read["b"] == "c" && read.object?.count == 2, "\(text.debugDescription)")
    }
  }

  @Test("Entries are shown without the control characters and escape sequences of their values")
  func entriesAreShownPrintable() {
    let schema = Schema.array(of: .object(Field("label", .string(title: "Label"))), title: "Labels")
    let shown = FieldText.text(of: [["label": "\u{1B}]52;c;cm0gLXJm\u{7}"], ["label": "b\u{9B}31m"]], in: schema)
    #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(shown.debugDescription)")
    #expect(shown.contains("]52;c;cm0gLXJm"))
  }
}
