import CoordinatorKit
import Foundation

/// A schema and a payload, both as JSON, in two lines: neither may trap, and what is accepted is accepted again.
enum PayloadTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let decoder = JSONDecoder()
    guard lines.count == 2, let json = try? decoder.decode(JSONValue.self, from: Data(lines[0])) else { return -1 }
    guard let schema = try? Schema(json: json) else { return 0 }
    precondition((try? Schema(json: schema.json)) == schema, "the schema is another one after it was written and read: \(json)")
    _ = try? schema.validate()
    guard let payload = try? decoder.decode(JSONValue.self, from: Data(lines[1])).object else { return 0 }
    let reasons = schema.check(payload)
    guard let accepted = try? schema.accept(payload) else {
      precondition(!reasons.isEmpty, "refused without a reason")
      return 0
    }
    precondition(reasons.isEmpty, "accepted in spite of \(reasons)")
    if accepted.secrets.isEmpty {
      precondition(schema.check(accepted.values).isEmpty, "what was accepted is not accepted again: \(accepted.values)")
    }
    return 0
  }
}
