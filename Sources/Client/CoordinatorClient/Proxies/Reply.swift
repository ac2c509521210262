import CoordinatorBus
import CoordinatorKit
import DBus

/// The reply of a method call. Reading a value that is missing or of another type throws; it never traps.
struct Reply: Sendable {
  let member: String
  let values: [Value]

  /// Returns the string at an index.
  func text(_ index: Int) throws(ClientError) -> String { try read(index, \.string) }

  /// Returns the object path at an index.
  func path(_ index: Int) throws(ClientError) -> ObjectPath { try read(index, \.objectPath) }

  /// Returns the 64-bit unsigned number at an index.
  func number(_ index: Int) throws(ClientError) -> UInt64 { try read(index, \.uint64) }

  /// Returns the 32-bit unsigned number at an index.
  func smallNumber(_ index: Int) throws(ClientError) -> UInt32 {
    try read(index) { if case .uint32(let number) = $0 { number } else { nil } }
  }

  /// Returns the JSON object at an index.
  func object(_ index: Int) throws(ClientError) -> [String: JSONValue] {
    try read(index) { try? JSONValue.object(from: $0, depthLimit: .max) }
  }

  /// Returns the dictionaries in the array at an index.
  func vardicts(_ index: Int) throws(ClientError) -> [[String: Value]] { try read(index, \.vardicts) }

  /// Returns the elements of the array at an index.
  func elements(_ index: Int) throws(ClientError) -> [Value] { try read(index, \.elements) }

  /// The error for a reply that violates the contract.
  var malformed: ClientError { .malformedAnswer(member) }

  private func read<Result>(_ index: Int, _ convert: (Value) -> Result?) throws(ClientError) -> Result {
    guard values.indices.contains(index), let result = convert(values[index]) else { throw malformed }
    return result
  }
}

/// The properties of an object, read as strictly as a ``Reply``.
struct Properties: Sendable {
  let values: [String: Value]

  /// Returns the value of a property.
  ///
  /// - Parameters:
  ///   - name: name of the property.
  ///   - convert: conversion that returns nil for a value of the wrong type.
  /// - Returns: the converted value.
  /// - Throws: ``ClientError/malformedAnswer(_:)`` if the property is missing or of the wrong type.
  func read<Result>(_ name: String, _ convert: (Value) -> Result?) throws(ClientError) -> Result {
    guard let result = values[name].flatMap(convert) else { throw .malformedAnswer(name) }
    return result
  }
}

extension Value {
  /// The dictionaries in an array; nil for any other value.
  var vardicts: [[String: Value]]? {
    guard let elements else { return nil }
    let vardicts = elements.compactMap(\.vardict)
    return vardicts.count == elements.count ? vardicts : nil
  }
}
