/// Why a value cannot be converted between D-Bus and JSON.
///
/// `path` locates the value from the outside in, such as `["visit", "pain"]`; an array element is given by its index.
public enum JSONConversionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Objects and arrays are nested deeper than `limit` levels.
  case tooDeep(limit: Int, path: [String])
  /// A number is NaN or infinite.
  case notFinite(path: [String])
  /// An integer does not fit in a signed 64-bit integer.
  case outOfRange(path: [String])
  /// A D-Bus type has no JSON counterpart: a structure, an object path, or a signature.
  case noCounterpart(type: String, path: [String])
  /// A dictionary's keys are not strings.
  case keysNotText(path: [String])
  /// A dictionary contains a key twice.
  case duplicateKey(String, path: [String])
  /// An array contains null. D-Bus has no null, and omitting the element would shift those after it.
  case nullInArray(path: [String])
  /// A value other than an object (`a{sv}`) was found where an object is required.
  case notAnObject(path: [String])

  /// What is wrong and where, for people.
  public var description: String {
    switch self {
    case .tooDeep(let limit, let path): "\(place(path)) nested more than \(limit) levels deep"
    case .notFinite(let path): "\(place(path)) not a finite number"
    case .outOfRange(let path): "\(place(path)) an integer outside the signed 64-bit range"
    case .noCounterpart(let type, let path): "\(place(path)) of type \(type), which is not supported here"
    case .keysNotText(let path): "\(place(path)) a dictionary whose keys are not strings"
    case .duplicateKey(let key, let path): "\(place(path)) a dictionary that contains the key '\(key)' twice"
    case .nullInArray(let path): "\(place(path)) null, which D-Bus cannot represent in an array"
    case .notAnObject(let path): "\(place(path)) not a dictionary"
    }
  }

  /// Returns the same error as seen from the enclosing value, where it concerns the member or element `key`.
  ///
  /// The path is built as the error propagates, so that successful conversions do not pay for it.
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

  private func place(_ path: [String]) -> String {
    path.isEmpty ? "the value is" : "'\(path.joined(separator: "."))' is"
  }
}

extension JSONValue {
  /// The most levels of objects and arrays that are sent over the bus, in both directions.
  public static let maximumSentDepth = 8
}
