import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Correcting a refused answer", .timeLimit(.minutes(5)))
struct DraftCorrectingTests {
  private static let fields = [
    Field("name", .string(title: "Name", length: 2...8)),
    Field("mail", .email(title: "E-mail address")).optional,
    Field("servers", .array(of: .object(Field("ip", .ipAddress(title: "IP address"))), title: "Servers")),
    Field("password", .secret(title: "Password", length: 4...8)),
  ]
  private static let row = "entry%2Fservers=0&entry%2Fservers%2F0%2Fip="

  private static func answer(_ text: String) throws -> FormAnswer {
    FormAnswer(try FormBody(decoding: text.utf8), fields: fields)
  }

  /// Returns the draft of an answer that was refused.
  private static func refused(_ text: String, _ reasons: [String: String]) throws -> Draft {
    Draft(screen: 1, typed: try answer(text).typedEntries, reasons: reasons)
  }

  @Test("A reason is dropped as soon as what is typed is valid, and not before")
  func reasonIsDroppedWhenValid() throws {
    var draft = try Self.refused("field.name=&field.mail=x", ["name": "is required", "mail": "must look like user@example.org"])
    draft.correct(with: try Self.answer("field.name=a&field.mail=x"), filled: [], fields: Self.fields)
    #expect(Set(draft.reasons.keys) == ["name", "mail"])
    draft.correct(with: try Self.answer("field.name=ann&field.mail=x"), filled: [], fields: Self.fields)
    #expect(Set(draft.reasons.keys) == ["mail"])
    #expect(draft.typed["name"] == ["ann"])
    // An optional field without a value is valid.
    draft.correct(with: try Self.answer("field.name=ann&field.mail="), filled: [], fields: Self.fields)
    #expect(draft.reasons.isEmpty)
  }

  @Test("An error that only the flow can find stays until the text changes")
  func reasonOfTheFlowStaysWithItsText() throws {
    var draft = try Self.refused("field.name=ann", ["name": "is taken", "": "is not a field"])
    draft.correct(with: try Self.answer("field.name=ann"), filled: [], fields: Self.fields)
    #expect(draft.reasons["name"] == "is taken")
    draft.correct(with: try Self.answer("field.name=anna"), filled: [], fields: Self.fields)
    #expect(draft.reasons == ["": "is not a field"])
  }

  @Test("Rows of a list are corrected together")
  func rowsAreCorrectedTogether() throws {
    var draft = try Self.refused(Self.row + "x", ["servers[0].ip": "must be an IP address"])
    draft.correct(with: try Self.answer(Self.row + "192.0.2"), filled: [], fields: Self.fields)
    #expect(draft.reasons.count == 1)
    draft.correct(with: try Self.answer(Self.row + "192.0.2.1"), filled: [], fields: Self.fields)
    #expect(draft.reasons.isEmpty)
  }

  @Test("A secret is corrected by being filled in, and its value is not looked at")
  func secretIsCorrectedByBeingFilledIn() throws {
    var draft = try Self.refused("", ["password": "is required"])
    draft.correct(with: try Self.answer("field.password=never"), filled: [], fields: Self.fields)
    #expect(draft.reasons.count == 1 && !"\(draft)".contains("never"))
    draft.correct(with: try Self.answer(""), filled: ["field.password", "field.unknown", "else"], fields: Self.fields)
    #expect(draft.reasons.isEmpty)
  }
}
