import Forms
import Foundation

/// A schema of the official test suite, and the values that it accepts or refuses.
struct SuiteGroup: Sendable {
  struct Case: Sendable, Decodable {
    let description: String
    let data: JSONValue
    let valid: Bool
  }

  /// The path of the file in the suite, such as `optional/format/date.json`.
  let file: String
  let description: String
  let schema: JSONValue
  let tests: [Case]

  var name: String { "\(file): \(description)" }

  /// Reads all groups, sorted by file.
  static func all() throws -> [SuiteGroup] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let root = tests.appending(path: "JSON-Schema-Test-Suite/draft2020-12")
    let files = (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
    return try files.filter { $0.hasSuffix(".json") }.sorted().flatMap { file in
      let groups = try JSONDecoder().decode([Content].self, from: Data(contentsOf: root.appending(path: file)))
      return groups.map { SuiteGroup(file: file, description: $0.description, schema: $0.schema, tests: $0.tests) }
    }
  }

  private struct Content: Decodable {
    let description: String
    let schema: JSONValue
    let tests: [Case]
  }
}
