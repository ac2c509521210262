import DBus
import TestBus
import Testing

@Suite("Invalid introspection data", .timeLimit(.minutes(5)))
struct InvalidIntrospectionTests {
  @Test(
    "Malformed XML is refused as introspection data",
    arguments: [
      "", " ", "x", "<", "<node", "<node>", "<node/", "<node/ >", "<node></nod>", "<node></node", "<node/><node/>", "<node/>x",
      "</node>",
      "<node name/>", "<node name=/>", "<node name=a/>", "<node name='/a/>", "<node name='/a\"/>", "<node name='<'/>",
      "<node a='' a=''/>",
      "<node name='/a'xmlns=''/>", "<node name='&bad;'/>", "<node name='&'/>", "<node name='&#0;'/>", "<node name='&#xD800;'/>",
      "<node name='&#x110000;'/>", "<node name='&#;'/>", "<node name='&#+65;'/>", "<node name='&#99999999999;'/>",
      "<node name='\u{1}'/>",
      "<node><!-- a -- b --></node>", "<node><!-- a", "<!-- a --->\n<node/>", "<?xml", "<!DOCTYPE node",
      "<!DOCTYPE node []><node/>",
      "<!DOCTYPE node [<!ENTITY a 'b'>]><node/>", "<!DOCTYPE 'node><node/>", "<node/><!DOCTYPE node>", "<node><![CDATA[",
      "<node>&amp</node>",
      "<1/>", "<>", "< node/>", "\0<node/>", String(repeating: "<node>", count: 100_000),
      "<a:a>" + String(repeating: "<a:a>", count: 64),
    ])
  func malformedXMLIsRefused(xml: String) { #expect(throws: InvalidIntrospection.self) { try NodeDescription(parsing: xml) } }

  @Test(
    "XML that is not valid introspection data is refused",
    arguments: [
      "<interface name='a.b'/>", "<node name='a'/>", "<node name=''/>", "<node nam='/a'/>", "<node>text</node>",
      "<node><![CDATA[]]></node>",
      "<node><nodes/></node>", "<node><node/></node>", "<node><node name=''/></node>", "<node><node name='/a'/></node>",
      "<node><node name='a-b'/></node>", "<node><interface/></node>", "<node><interface name='a'/></node>",
      "<node><method name='a'/></node>", interface("<method/>"), interface("<method name='a.b'/>"), interface("<arg type='s'/>"),
      interface("<method name='M'><arg/></method>"), interface("<method name='M'><arg type=''/></method>"),
      interface("<method name='M'><arg type='ss'/></method>"), interface("<method name='M'><arg type='z'/></method>"),
      interface("<method name='M'><arg type='s' direction='inout'/></method>"),
      interface("<method name='M'><arg tpye='s'/></method>"),
      interface("<method name='M'><property name='P' type='s' access='read'/></method>"),
      interface("<signal name='S'><arg type='s' direction='in'/></signal>"), interface("<signal name='S'>x</signal>"),
      interface("<property name='P' type='s'/>"), interface("<property name='P' access='read'/>"),
      interface("<property name='P' type='s' access='readonly'/>"), interface("<property type='s' access='read'/>"),
      interface("<annotation name='a.b'/>"), interface("<annotation value=''/>"),
      interface("<annotation name='a.b' value=''><annotation name='a.b' value=''/></annotation>"),
      interface(
        "<property name='P' type='s' access='read'>"
          + "<annotation name='org.freedesktop.DBus.Property.EmitsChangedSignal' value='yes'/></property>"),
    ])
  func otherXMLIsRefused(xml: String) { #expect(throws: InvalidIntrospection.self) { try NodeDescription(parsing: xml) } }

  @Test("The error for invalid introspection data names the line and the fault")
  func errorNamesLineAndFault() {
    let error = #expect(throws: InvalidIntrospection.self) {
      try NodeDescription(parsing: "<node>\n <!-- \n -->\n <interface name='a.b' x='y'/>\n</node>")
    }
    #expect(error?.description == "line 4: <interface> has no attribute x")
  }

  @Test("A document truncated anywhere is refused, and one with a changed byte never traps")
  func mutatedDocumentNeverTraps() {
    let method = MethodDescription("M", inputs: [Argument("a&b", "a{sv}")], annotations: [Annotation("a.b", "é")])
    let xml = Array(NodeDescription(path: "/a", interfaces: [InterfaceDescription("a.b", methods: [method])]).xml.utf8)
    var random = SeededGenerator(seed: 3)
    for index in xml.indices.dropLast(2) {
      #expect(throws: InvalidIntrospection.self) {
        try NodeDescription(parsing: String(decoding: xml[..<index], as: UTF8.self))
      }
      var changed = xml
      changed[index] = "<>&;'\"/!-[]= \0\u{7F}".utf8.randomElement(using: &random) ?? 0
      _ = try? NodeDescription(parsing: String(decoding: changed, as: UTF8.self))
    }
  }

  private static func interface(_ content: String) -> String { "<node><interface name='a.b'>\(content)</interface></node>" }
}
