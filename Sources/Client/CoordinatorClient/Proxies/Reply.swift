import CoordinatorBus
import CoordinatorKit
import DBus

/// What a method answered; reading something else than is there is an error, never a trap.
struct Reply: Sendable {
  let member: String
  let values: [Value]

  /// The text at a position.
  func text(_ index: Int) throws(ClientError) -> String { try read(index, \.string) }

  /// The object path at a position.
  func path(_ index: Int) throws(ClientError) -> ObjectPath { try read(index, \.objectPath) }

  /// The number at a position.
  func number(_ index: Int) throws(ClientError) -> UInt64 { try read(index, \.uint64) }

  /// The number of 32 bits at a position.
  func smallNumber(_ index: Int) throws(ClientError) -> UInt32 {
    try read(index) { if case .uint32(let number) = $0 { number } else { nil } }
  }

  /// The object at a position.
  func object(_ index: Int) throws(ClientError) -> [String: JSONValue] {
    try read(index) { try? JSONValue.object(from: $0, depthLimit: .max) }
  }

  /// The contents of the dictionaries in the array at a position.
  func vardicts(_ index: Int) throws(ClientError) -> [[String: Value]] { try read(index, \.vardicts) }

  /// The elements of the array at a position.
  func elements(_ index: Int) throws(ClientError) -> [Value] { try read(index, \.elements) }

  /// The error that says that this is not what the contract promises.
  var malformed: ClientError { .malformedAnswer(member) }

  private func read<Result>(_ index: Int, _ convert: (Value) -> Result?) throws(ClientError) -> Result {
    guard values.indices.contains(index), let result = convert(values[index]) else { throw malformed }
    return result
  }
}

/// The properties of an object, read as strictly.
struct Properties: Sendable {
  let values: [String: Value]

  /// The value of a property; `convert` answers nil for a value of the wrong type.
  func read<Result>(_ name: String, _ convert: (Value) -> Result?) throws(ClientError) -> Result {
    guard let result = values[name].flatMap(convert) else { throw .malformedAnswer(name) }
    return result
  }
}

extension Value {
  /// The contents of the dictionaries in an array; nil for anything else.
  var vardicts: [[String: Value]]? {
    guard let elements else { return nil }
    let vardicts = elements.compactMap(\.vardict)
    return vardicts.count == elements.count ? vardicts : nil
  }
}
