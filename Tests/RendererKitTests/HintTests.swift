import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("What a schema says about a field beyond its rules", .timeLimit(.minutes(5)))
struct HintTests {
  @Test("The title of a field is followed by its unit")
  func titleHasTheUnit() {
    #expect(FieldText.title(of: Field("size", .integer(title: "Size").measured(in: "GB"))) == "Size (GB)")
    #expect(FieldText.title(of: Field("size", .integer(title: "Size"))) == "Size")
  }

  @Test("The help for a field is its summary, an example, and how entries are written")
  func helpHasSummaryExampleAndForm() {
    let name = Schema.string(title: "Name", summary: "As you like.").example("ada")
    #expect(FieldText.help(for: name) == ["As you like.", "Such as ada."])
    #expect(FieldText.help(for: .string(title: "Name").example("ada"), hasExample: false).isEmpty)
    let host = Schema.object(Field("ip", .ipAddress(title: "IP address")))
    #expect(
      FieldText.help(for: .array(of: host, title: "Hosts")) == ["One entry per line, such as ip=192.0.2.1, or a JSON object."])
  }

  @Test("A secret has no example")
  func secretHasNoExample() {
    #expect(FieldText.example(of: .secret(title: "PIN").example("1234")) == nil)
  }

  @Test("The condition of a field names the other fields by their titles, and their values as users read them")
  func conditionIsNamedInWords() {
    let security = Field("security", .choice(title: "Security", [("open", "None"), ("wpa", "WPA"), ("eap", "Enterprise")]))
    let hidden = Field("hidden", .boolean(title: "Hidden network"))
    let name = Field("name", .string(title: "Name")).shown(if: "hidden", is: true).shown(if: "security", is: "wpa", "eap")
    #expect(
      FieldText.condition(of: name, among: [security, hidden, name])
        == "only if Hidden network is yes and Security is WPA or Enterprise")
    #expect(FieldText.condition(of: security, among: [security, hidden, name]) == nil)
  }

  @Test("A field that is required while it is shown does not accept an empty answer")
  func shownFieldIsRequired() {
    let field = Field("name", .string(title: "Name", length: 1...9)).shown(if: "hidden", is: true)
    #expect(FieldAnswer("", for: field, offered: nil) == .wrong("Name is required"))
    #expect(FieldAnswer("", for: field.optional, offered: nil) == .leftOut)
  }
}
