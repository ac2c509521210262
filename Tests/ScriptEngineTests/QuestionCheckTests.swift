import Forms
import ScriptEngine
import Testing

@Suite("What is wrong with a question is said with its field, its keyword and the reason", .timeLimit(.minutes(1)))
struct QuestionCheckTests {
  private func crash(_ screen: [String: JSONValue]) -> String? {
    do throws(ScriptCrash) {
      try Question("account", json: ["screen": .object(screen)], at: "flow.py:7").checkedScreen("account", at: "flow.py:7")
      return nil
    } catch {
      return error.description
    }
  }

  private func form(_ field: JSONValue, values: JSONValue = [:]) -> String? {
    crash([
      "kind": "form", "title": "Account", "values": values, "schema": ["type": "object", "properties": ["name": field]],
      "actions": [["id": "submit", "title": "Continue", "role": "primary"]],
    ])
  }

  @Test("Patterns, lengths, ranges and defaults that cannot hold name the field and the keyword")
  func schemas() {
    for (field, end): (JSONValue, String) in [
      (["type": "string", "title": "Name", "pattern": "(a?){2000}$"], "pattern: '(a?){2000}$' is too slow"),
      (["type": "string", "title": "Name", "pattern": "(a", "maxLength": 5], "pattern: '(a', at 0: "),
      (["type": "string", "title": "Name", "pattern": "(?=a)b", "maxLength": 5], "pattern: '(?=a)b', at 0: "),
      (["type": "string", "title": "Name", "minLength": 5, "maxLength": 2], "minLength: leaves no value"),
      (["type": "integer", "title": "Name", "minimum": 5, "maximum": 2], "minimum: leaves no value"),
      (["type": "integer", "title": "Name", "minimum": 5, "default": 2], "default: must be at least 5"),
    ] {
      let said = form(field) ?? "nothing"
      let begin = "the question account cannot be shown: 'schema' is invalid: /properties/name/"
      #expect(said.hasPrefix(begin + end) && said.hasSuffix("(flow.py:7)"), "\(said)")
    }
  }

  @Test("A value that a form shows at first may break the field's rules: who answers can repair it")
  func values() {
    #expect(form(["type": "integer", "title": "Name", "minimum": 5], values: ["name": 2]) == nil)
    let text: JSONValue = ["type": "string", "title": "Name", "minLength": 1, "maxLength": 8, "pattern": "^a+$"]
    #expect(form(text, values: ["name": "b"]) == nil && form(text, values: ["name": ""]) == nil)
  }

  @Test("An accent that is no color, and two rows of one id, are refused")
  func parts() {
    #expect(crash(["kind": "message", "title": "A", "accent": "red;}body{"])?.contains("'accent' is invalid") == true)
    let rows: JSONValue = [["id": "a", "title": "A"], ["id": "a", "title": "B"]]
    #expect(crash(["kind": "list", "title": "A", "items": rows])?.contains("'items.id' is invalid: 'a' occurs twice") == true)
    #expect(crash(["kind": "message", "title": "A", "busy": "Working"]) == nil)
  }

  @Test("A kind that does not exist is refused, and an unused key is reported")
  func words() throws {
    #expect(crash(["kind": "window", "title": "A"])?.contains("'kind' is missing or invalid (flow.py:7)") == true)
    let json: JSONValue = ["screen": ["kind": "message", "titel": "A", "title": "B", "busy": ""]]
    let question = try Question("account", json: json, at: "flow.py:7")
    #expect(question.unknownKeys.map { "\($0)" } == ["'titel', which nothing reads (did you mean 'title'?)"])
  }
}
