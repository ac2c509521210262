import CoordinatorKit

/// The form with every kind of field, whose summaries contain the instructions.
enum TrialForm {
  private static let colours: [(String, Text)] = [("red", "Red"), ("green", "Green"), ("blue", "Blue")]
  private static let drinks = [
    Schema.Choice("tea", title: "Tea"), .init("coffee", title: "Coffee"), .init("water", title: "Water"),
  ]

  static let form = Form(
    Field("name", .string(title: "Name", summary: "Enter: Zoë 水野", length: 1...40)),
    Field("email", .email(title: "E-mail", summary: "Enter: zoe@example.org")),
    Field("age", .integer(title: "Age", summary: "Enter: 42", range: 0...150)),
    Field("height", .number(title: "Height", summary: "Enter: 1.75", range: 0...3)),
    Field("city", .string(title: "City", summary: "Leave it unchanged")),
    Field("news", .boolean(title: "News", summary: "Yes")),
    Field("colour", .choice(title: "Colour", summary: "Green", colours)),
    Field("drinks", .array(of: .choice(title: "Drink", of: drinks), title: "Drinks", summary: "Tea and water")),
    Field("note", .string(title: "Note", summary: "Leave it empty")).optional)

  static let values: [String: JSONValue] = ["city": "London", "name": "Somebody else"]

  private static let expected: [String: JSONValue] = [
    "name": "Zoë 水野", "email": "zoe@example.org", "age": 42, "height": 1.75, "city": "London", "news": true, "colour": "green",
    "drinks": .array(["tea", "water"]),
  ]

  /// Returns the faults of a payload, one message per field.
  static func faults(in payload: Payload) -> [String] {
    form.fields.compactMap { field in
      let (given, expected) = (payload[field.name], expected[field.name])
      if given == expected || (field.name == "note" && given?.string?.isEmpty == true) { return nil }
      return "\(field.name) is \(given?.canonicalText ?? "nothing") instead of \(expected?.canonicalText ?? "nothing")"
    }
  }
}
