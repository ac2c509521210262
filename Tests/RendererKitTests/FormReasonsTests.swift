import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("The reasons for a refused form", .timeLimit(.minutes(5)))
struct FormReasonsTests {
  private let own = "Use small letters, digits and hyphens."
  private var fields: [Field] {
    let host = Schema.object(
      Field("ip", .ipAddress(title: "IP address")), Field("name", .string(title: "Name").explained(Text(verbatim: own))).optional)
    return [
      Field("login", .string(title: "Log-in name").explained(Text(verbatim: own))),
      Field("hosts", .array(of: host, title: "Hosts")), Field("tags", .array(of: .string(title: "Tag"), title: "Tags")),
    ]
  }

  private func reason(_ key: String, _ text: String) -> FormReasons.Reason? {
    FormReasons([key: text], of: fields).fields.values.first
  }

  @Test("A reason follows the title of its field, unless it is the text of the form's author")
  func ownTextStandsAlone() {
    #expect(reason("login", "is required")?.sentence == "Log-in name is required")
    #expect(reason("login", own)?.sentence == own)
  }

  @Test("A reason for an entry of a list belongs to the list, and names the entry and its field")
  func reasonForAnEntryBelongsToTheList() {
    #expect(reason("hosts[2].ip", "is required")?.sentence == "Hosts, entry 3: IP address is required")
    #expect(reason("hosts[0].name", own)?.sentence == "Hosts, entry 1: \(own)")
    #expect(reason("hosts[0].colour", "is not a known field")?.sentence == "Hosts, entry 1: colour is not a known field")
    #expect(reason("hosts[0]", "must be an entry with fields")?.sentence == "Hosts, entry 1 must be an entry with fields")
    let both = FormReasons(["hosts[0].ip": "is required", "hosts[0].name": own], of: fields)
    #expect(both.texts == ["hosts": "Hosts, entry 1: IP address is required; Hosts, entry 1: \(own)"])
  }

  @Test("A value in the wrong format gets an example of the format, instead of a repetition of the title")
  func formatIsShownByAnExample() {
    let fields = [Field("mail", .email(title: "E-mail address")), Field("day", .date(title: "When were you born?"))]
    func sentence(_ name: String) -> String? {
      FormReasons(Schema.object(fields).check(["mail": "x", "day": "x"]), of: fields).fields[name]?.sentence
    }
    #expect(sentence("mail") == "E-mail address must look like user@example.org")
    #expect(sentence("day") == "“When were you born?” must look like 2026-07-21")
    #expect(FormReasons(["day": "is required"], of: fields).texts == ["day": "“When were you born?” is required"])
  }

  @Test("A sentence states the number of invalid answers")
  func summaryCounts() {
    #expect(FormReasons.summary(of: 1) == "There is a problem with 1 answer.")
    #expect(FormReasons.summary(of: 3) == "There are problems with 3 answers.")
  }

  @Test(
    "A key that is no place in the form is kept apart",
    arguments: ["colour", "hosts[", "hosts[x].ip", "hosts[-1].ip", "hosts[0]ip", "login[0]", "hosts2[0].ip", "[0]"])
  func strayKeyIsKeptApart(key: String) {
    let reasons = FormReasons([key: "is unknown"], of: fields)
    #expect(reasons.fields.isEmpty)
    #expect(reasons.others == [key: "is unknown"])
  }
}
