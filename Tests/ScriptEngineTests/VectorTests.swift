import Foundation
import Forms
import ScriptEngine
import Testing

/// The conformance vectors. (34)
@Suite("The engine of scripts passes the conformance vectors", .timeLimit(.minutes(1)))
struct VectorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let json: JSONValue

    var testDescription: String { "\(file): \(json["name"]?.string ?? "")" }
  }

  static let cases: [Case] = {
    let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../ScriptVectors")
    let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.flatMap { file -> [Case] in
      guard let data = try? Data(contentsOf: file), let json = try? JSONDecoder().decode(JSONValue.self, from: data) else {
        return []
      }
      return (json.array ?? []).map { Case(file: file.lastPathComponent, json: $0) }
    }
  }()

  @Test("There are vectors")
  func vectorsAreThere() { #expect(Self.cases.count > 50) }

  @Test("Each case has the effects that are expected", arguments: cases)
  func caseHasItsEffects(_ one: Case) throws {
    var player = try VectorPlayer(one.json["log"])
    for (number, step) in (one.json["steps"]?.array ?? []).enumerated() {
      let effects = player.take(step)
      for (name, expected) in step["expect"]?.object ?? [:] {
        check(name, expected, effects, "step \(number + 1), \(name)")
      }
    }
  }

  private func check(_ name: String, _ expected: JSONValue, _ effects: [String: JSONValue], _ place: Comment) {
    switch name {
    case "entries":
      let entries = effects[name]?.array ?? []
      #expect(entries.count == expected.array?.count, place)
      for (entry, members) in zip(entries, expected.array ?? []) { contains(entry, members, place) }
    case "hold-text-contains":
      for part in expected.array ?? [expected] {
        #expect(effects["hold-text"]?.string?.contains(part.string ?? "?") == true, place)
      }
    // An engine may say one id, or an array of one.
    case "suggested" where expected.string != nil: #expect(effects[name] == [expected], place)
    default:
      if expected.isNull || expected == false {
        #expect(effects[name] == nil || effects[name] == .null || effects[name] == false, place)
      } else if expected.object != nil, name != "suggestions", let value = effects[name] {
        contains(value, expected, place)
      } else {
        #expect(effects[name] == expected, place)
      }
    }
  }

  private func contains(_ value: JSONValue, _ members: JSONValue, _ place: Comment) {
    for (key, expected) in members.object ?? [:] {
      let found = value[key]
      if expected.isNull || expected == false || expected == 0 {
        #expect(found == nil || found == expected, "\(place), \(key)")
      } else if expected.object != nil, key != "suggestions", let found {
        contains(found, expected, "\(place), \(key)")
      } else {
        #expect(found == expected, "\(place), \(key)")
      }
    }
  }
}
