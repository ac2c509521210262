import CoordinatorKit
import DBus

/// Why a value of D-Bus is not one of JSON, or the other way round.
///
/// `path` says where, from the outside in: `["visit", "pain"]`, with the index for an element of an array.
public enum JSONConversionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Objects and arrays are nested deeper than `limit`.
  case tooDeep(limit: Int, path: [String])
  /// A number is not a number, or infinite.
  case notFinite(path: [String])
  /// An integer is too large for 64 bits with a sign.
  case outOfRange(path: [String])
  /// A type of D-Bus that JSON has no counterpart of: a structure, an object path, a signature.
  case noCounterpart(type: String, path: [String])
  /// A dictionary whose keys are not texts.
  case keysNotText(path: [String])
  /// A key is there twice.
  case duplicateKey(String, path: [String])
  /// A null within an array: D-Bus has no null, and leaving it out would move the elements after it.
  case nullInArray(path: [String])
  /// Something else where an object (`a{sv}`) is needed.
  case notAnObject(path: [String])

  /// What went wrong and where, for people.
  public var description: String {
    switch self {
    case .tooDeep(let limit, let path): "\(place(path)) nested more than \(limit) levels deep"
    case .notFinite(let path): "\(place(path)) not a finite number"
    case .outOfRange(let path): "\(place(path)) an integer that does not fit into 64 bits with a sign"
    case .noCounterpart(let type, let path): "\(place(path)) of the type \(type), which is not taken here"
    case .keysNotText(let path): "\(place(path)) a dictionary whose keys are not texts"
    case .duplicateKey(let key, let path): "\(place(path)) a dictionary that holds the key '\(key)' twice"
    case .nullInArray(let path): "\(place(path)) null, which D-Bus cannot say within an array"
    case .notAnObject(let path): "\(place(path)) not a dictionary"
    }
  }

  /// The same error seen from outside: what is wrong is in the member or element `key`.
  ///
  /// The path is put together while the error goes up, so that it costs nothing where nothing is wrong.
  func within(_ key: String) -> JSONConversionError {
    switch self {
    case .tooDeep(let limit, let path): .tooDeep(limit: limit, path: [key] + path)
    case .notFinite(let path): .notFinite(path: [key] + path)
    case .outOfRange(let path): .outOfRange(path: [key] + path)
    case .noCounterpart(let type, let path): .noCounterpart(type: type, path: [key] + path)
    case .keysNotText(let path): .keysNotText(path: [key] + path)
    case .duplicateKey(let duplicate, let path): .duplicateKey(duplicate, path: [key] + path)
    case .nullInArray(let path): .nullInArray(path: [key] + path)
    case .notAnObject(let path): .notAnObject(path: [key] + path)
    }
  }

  /// The error to answer a call with: LimitsExceeded for what is too deep, InvalidArgs for everything else.
  public var dbusError: DBusError {
    switch self {
    case .tooDeep: .limitsExceeded(description)
    default: .invalidArgs(description)
    }
  }

  private func place(_ path: [String]) -> String {
    path.isEmpty ? "the value is" : "'\(path.joined(separator: "."))' is"
  }
}
