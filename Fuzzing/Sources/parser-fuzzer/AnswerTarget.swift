import DBus
import Foundation

@testable import CoordinatorDaemon
@testable import CoordinatorKit
@testable import CoordinatorProvider

/// An answer to `Decide`, as JSON: what is taken can be sent again, and is taken as the same then.
///
/// In the JSON, `{"@t": 1}` and `{"@o": "/path"}` stand for an unsigned number and an object path.
enum AnswerTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let json = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)), let answer = try? value(json) else {
      return -1
    }
    guard let decision = try? AnswerDecoder().decision([answer]) else { return 0 }
    guard case .success(let sent) = FlowAnswer.decided(decision).reply else { return 0 }
    guard let read = try? AnswerDecoder().decision(sent) else { preconditionFailure("is not taken again: \(sent)") }
    guard case .success(let again) = FlowAnswer.decided(read).reply, again == sent else {
      preconditionFailure("\(decision) became \(read)")
    }
    return 0
  }

  /// Converts an answer, in which the operations are dictionaries.
  private static func value(_ json: JSONValue) throws -> Value {
    guard let object = json.object else { return try Value(json: json) }
    if object.count == 1, let (key, value) = object.first {
      switch (key, value) {
      case ("@t", .integer(let number)): return .uint64(UInt64(clamping: number))
      case ("@o", .string(let path)) where path.hasPrefix("/"): return .objectPath(try ObjectPath(path))
      default: break
      }
    }
    var values: [String: Value] = [:]
    for (key, member) in object {
      if case .array(let members) = member, !members.isEmpty, members.allSatisfy({ $0.object != nil }) {
        values[key] = .array(of: .variant, try members.map { .variant(try value($0)) })
      } else {
        values[key] = try value(member)
      }
    }
    return .vardict(values)
  }
}
