import Forms
import Foundation
import Testing

@Suite("The official JSON Schema Test Suite", .timeLimit(.minutes(5)))
struct OfficialSuiteTests {
  @Test("The open mode gives the right verdict in every group whose schema uses accepted keywords only")
  func openModeGivesTheRightVerdicts() throws {
    var report = SuiteReport()
    for group in try SuiteGroup.all() {
      do throws(SchemaError) {
        let schema = try OpenSchema(json: group.schema)
        report.run(group) { schema.accepts($0) }
      } catch {
        report.leaveOut(error)
      }
    }
    let left = report.leftOut.values.reduce(0, +)
    print("JSON Schema Test Suite: \(report.groups) groups, \(report.tests) tests; \(left) groups left out:\n\(report.table)")
    #expect(report.wrong == [])
    #expect((report.groups, report.tests, left) == (170, 874, 233))
    // The page states the same numbers.
    let page = try Self.page()
    #expect(page.contains("\(report.groups) groups with \(report.tests) tests"))
    #expect(page.contains("\(left) groups"))
    #expect(page.contains(report.table))
  }

  /// Adds a type to each schema, because forms require one. According to JSON Schema, this changes no verdict on values of that
  /// type and refuses all others.
  @Test("Forms give the right verdict in every group whose schema they accept, with each type")
  func formsGiveTheRightVerdicts() throws {
    var report = SuiteReport()
    for group in try SuiteGroup.all() {
      guard var keywords = group.schema.object else { continue }
      let types: [JSONValue?] = keywords["type"] == nil ? [nil, "string", "integer", "number", "boolean", "array"] : [nil]
      for type in types {
        keywords["type"] = type ?? group.schema["type"]
        guard let schema = Self.form(keywords) else { continue }
        report.run(group, verdict: { Self.isAccepted($0, by: schema) }) { test in
          test.valid && type.map { Self.isType($0, of: test.data) } ?? true
        }
      }
    }
    print("JSON Schema Test Suite: \(report.groups) schemas in forms, \(report.tests) tests")
    #expect(report.wrong == [])
    #expect((report.groups, report.tests) == (121, 688))
    #expect(try Self.page().contains("\(report.groups) schemas and \(report.tests) tests"))
  }

  private static func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    return try String(contentsOf: root.appending(path: "Docs/forms.md"), encoding: .utf8)
  }

  /// Returns the form of one required field with a schema; nil if forms refuse it.
  private static func form(_ keywords: [String: JSONValue]) -> Schema? {
    var field = keywords
    let definitions = field.removeValue(forKey: "$defs") ?? [:]
    field["title"] = "X"
    return try? Schema(json: ["type": "object", "$defs": definitions, "properties": ["x": .object(field)], "required": ["x"]])
  }

  /// Returns whether a form accepts a value; nil for one with a null or an integer of more than 64 bits, which D-Bus cannot
  /// represent.
  private static func isAccepted(_ value: JSONValue, by schema: Schema) -> Bool? {
    value.isOnTheBus ? schema.check(["x": value]).isEmpty : nil
  }

  private static func isType(_ type: JSONValue, of value: JSONValue) -> Bool {
    (try? OpenSchema(json: ["type": type]))?.accepts(value) ?? false
  }
}

extension JSONValue {
  fileprivate var isOnTheBus: Bool {
    switch self {
    case .null: false
    case .number(let number): number != number.rounded() || abs(number) < 0x1p63
    case .array(let elements): elements.allSatisfy(\.isOnTheBus)
    case .object(let members): members.values.allSatisfy(\.isOnTheBus)
    default: true
    }
  }
}
