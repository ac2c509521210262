import DBus
import TestBus
import Testing

@Suite("Introspection data", .timeLimit(.minutes(5)))
struct NodeDescriptionTests {
  private static let interface = InterfaceDescription(
    "org.example.Door",
    methods: [
      MethodDescription(
        "Open", inputs: [Argument("key", "s"), Argument("options", "a{sv}")],
        outputs: [Argument("", "t", annotations: [Annotation("org.example.Unit", "µs")])],
        annotations: [Annotation(Annotation.deprecated, "true")]),
      MethodDescription("Close"),
    ],
    signals: [SignalDescription("Opened", arguments: [Argument("by", "o")]), SignalDescription("Closed")],
    properties: [
      PropertyDescription("Width", "d", emitsChanged: .const),
      PropertyDescription("IsOpen", "b", annotations: [Annotation("a.b", "<&>\"'\n\t\r é")]),
      PropertyDescription("Colour", "(yyy)", access: .readWrite, emitsChanged: .invalidates),
      PropertyDescription("Code", "s", access: .write, emitsChanged: .false),
    ],
    annotations: [Annotation("c.d", "")])

  private static let node = NodeDescription(path: "/org/example/Door1", interfaces: [interface], childNames: ["a", "b_9"])

  @Test("An introspection description is written with its arguments, annotations, and children")
  func descriptionIsWrittenCompletely() {
    let interface = InterfaceDescription(
      "a.b",
      methods: [MethodDescription("M", inputs: [Argument("x", "i")], outputs: [Argument("y", "as")]), MethodDescription("N")],
      signals: [SignalDescription("S", arguments: [Argument("z", "v")])],
      properties: [PropertyDescription("P", "u"), PropertyDescription("Q", "u", access: .readWrite, emitsChanged: .false)])
    #expect(
      NodeDescription(interfaces: [interface], childNames: ["c"]).xml == """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
         <interface name="a.b">
          <method name="M">
           <arg name="x" type="i" direction="in"/>
           <arg name="y" type="as" direction="out"/>
          </method>
          <method name="N"/>
          <signal name="S">
           <arg name="z" type="v"/>
          </signal>
          <property name="P" type="u" access="read"/>
          <property name="Q" type="u" access="readwrite">
           <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
          </property>
         </interface>
         <node name="c"/>
        </node>

        """)
  }

  @Test(
    "A written introspection description is read back unchanged",
    arguments: [NodeDescription(), node, NodeDescription(path: .root, childNames: ["org"])])
  func writtenDescriptionIsReadBack(node: NodeDescription) throws {
    #expect(try NodeDescription(parsing: node.xml) == node)
  }

  @Test("Characters that XML cannot represent do not break the introspection document")
  func unwritableCharactersAreReplaced() throws {
    let node = NodeDescription(interfaces: [InterfaceDescription("a.b", annotations: [Annotation("c.d", "\0\u{1B}\u{FFFF}x")])])
    #expect(try NodeDescription(parsing: node.xml).interfaces[0].annotations == [Annotation("c.d", "\u{FFFD}\u{FFFD}\u{FFFD}x")])
  }

  @Test("Comments, the DOCTYPE, processing instructions, and foreign elements are skipped")
  func irrelevantXMLIsSkipped() throws {
    let xml = """
      <?xml version='1.0' encoding="UTF-8"?>
      <!-- <node> - > -->
      <!DOCTYPE node PUBLIC "-//x>//" '<y>'>
      <!-- after -->
      <node name='/a' xmlns:doc="http://example.org/doc" doc:since="1">
        <doc:summary>Text &amp; more <![CDATA[ <raw> ]]> <b:b>and</b:b><!-- c --></doc:summary>
        <interface
          name = "a.b" ><!-- StartFlow: a <method> -->
          <method name="M"><arg type="s"/><arg type="i" direction="out" doc:x="y"></arg></method >
        </interface>
        <node name="c"><interface name="d.e"/></node>
      </node>
      <!-- the end -->

      """
    let method = MethodDescription("M", inputs: [Argument("", "s")], outputs: [Argument("", "i")])
    let expected = NodeDescription(path: "/a", interfaces: [InterfaceDescription("a.b", methods: [method])], childNames: ["c"])
    #expect(try NodeDescription(parsing: xml) == expected)
  }

  @Test("A property without its own EmitsChangedSignal annotation inherits the one of its interface")
  func emitsChangedIsInheritedFromInterface() throws {
    let xml = """
      <node><interface name="a.b">
        <property name="P" type="u" access="read"/>
        <property name="Q" type="u" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="true"/>
        </property>
        <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
      </interface></node>
      """
    let node = try NodeDescription(parsing: xml)
    #expect(node.interfaces[0].properties.map(\.emitsChanged) == [.const, .true])
    #expect(try NodeDescription(parsing: node.xml) == node)
  }

  @Test("The signatures of a method and a signal follow from their arguments")
  func signaturesFollowArguments() {
    var method = Self.interface.methods[0]
    #expect(method.inputSignature == "sa{sv}")
    #expect(method.outputSignature == "t")
    method.inputs = []
    method.outputs.append(Argument("", "b"))
    #expect(method.inputSignature == "")
    #expect(method.outputSignature == "tb")
    #expect(Self.interface.signal("Opened")?.signature == "o")
  }

  @Test("The members of an interface are found by name")
  func interfacePartsAreFoundByName() {
    #expect(Self.interface.method("Close") == MethodDescription("Close"))
    #expect(Self.interface.method("Opened") == nil)
    #expect(Self.interface.signal("Closed") == SignalDescription("Closed"))
    #expect(Self.interface.signal("Close") == nil)
    #expect(Self.interface.property("Code")?.access.isReadable == false)
    #expect(Self.interface.property("Colour")?.access.isWritable == true)
    #expect(Self.interface.property("Width")?.access.isWritable == false)
    #expect(Self.interface.property("width") == nil)
  }
}
