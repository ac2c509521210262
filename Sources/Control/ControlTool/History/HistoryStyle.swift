import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import Glibc
import Platform
import RendererKit

/// The format of history entries.
public struct HistoryStyle: Sendable {
  private let secondsFromGMT: Int?
  private let nameOfUser: @Sendable (UInt32) -> String?

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - secondsFromGMT: seconds by which the reader's clock is ahead of UTC; nil for that of the system.
  ///   - nameOfUser: closure that returns the name of a user id on this system, or nil if it has none.
  public init(secondsFromGMT: Int? = nil, nameOfUser: @escaping @Sendable (UInt32) -> String? = Self.systemName) {
    self.secondsFromGMT = secondsFromGMT
    self.nameOfUser = nameOfUser
  }

  /// Returns the system's name of a user id (`getpwuid_r`), or nil if it has none.
  @Sendable public static func systemName(ofUser number: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.pw_name.map { String(cString: $0) }
  }

  /// Returns the columns of an entry: time, caller, event, coordinator, revision and outcome.
  func columns(of entry: HistoryEntry) -> [String] {
    let occasion = entry.occasion
    let event = occasion.name.map { "\(occasion.kind.rawValue) \($0)" } ?? occasion.kind.rawValue
    return [
      time(entry.time), who(occasion.caller), event.printable, (occasion.coordinator ?? entry.root).text.printable,
      "\(entry.revision)", entry.outcome?.printable ?? "",
    ]
  }

  /// Returns an entry as JSON. Unknown values are omitted.
  func json(of entry: HistoryEntry) -> JSONValue {
    let occasion = entry.occasion
    var object: [String: JSONValue] = [
      "number": JSONValue(count: entry.number), "time": JSONValue(count: entry.time), "root": objectPath(entry.root),
      "event": .string(occasion.kind.rawValue), "revision": JSONValue(count: entry.revision),
    ]
    object["coordinator"] = occasion.coordinator.map(objectPath)
    object["name"] = occasion.name.map(JSONValue.string)
    object["user"] = occasion.caller?.user.map { .integer(Int64($0)) }
    object["userName"] = occasion.caller?.user.flatMap(nameOfUser).map(JSONValue.string)
    object["sender"] = (occasion.caller?.name).map(JSONValue.string)
    object["outcome"] = entry.outcome.map(JSONValue.string)
    if !entry.failures.isEmpty { object["failures"] = .array(entry.failures.map(json)) }
    return .object(object)
  }

  private func json(of failure: HistoryFailure) -> JSONValue {
    var object: [String: JSONValue] = [
      "coordinator": objectPath(failure.coordinator), "code": .string(failure.code), "reason": .string(failure.reason),
    ]
    object["flow"] = failure.flow.map(JSONValue.string)
    return .object(object)
  }

  private func objectPath(_ path: CoordinatorPath) -> JSONValue { objectPath(path.text) }

  private func objectPath(_ names: String) -> JSONValue { .string("\(Contract.flowsPath.string)/\(names)") }

  private func who(_ caller: Caller?) -> String {
    guard let caller else { return "-" }
    guard let user = caller.user else { return caller.name.printable }
    return "\(nameOfUser(user)?.printable ?? "\(user)") \(caller.name.printable)"
  }

  private func time(_ microseconds: UInt64) -> String {
    CalendarTime(microseconds: microseconds, secondsFromGMT: secondsFromGMT).textWithMilliseconds
  }
}
