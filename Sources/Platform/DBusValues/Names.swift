import Glibc
import Platform

/// The rules for names.
///
/// libdbus ends the process when it is given a name that violates them, so every name is checked here first.
///
/// Source: D-Bus Specification, "Valid Names" and "Valid Object Paths".
public enum Names {
  /// Returns whether `name` is an interface name: at least two elements of `[A-Za-z0-9_]`, separated by dots, none of which is
  /// empty or begins with a digit; at most 255 bytes.
  public static func isInterface(_ name: String) -> Bool {
    name.withUTF8Bytes { isDotted($0, leadingDigits: false, hyphens: false) }
  }

  /// Returns whether `name` is an error name. The rules are those of interface names.
  public static func isErrorName(_ name: String) -> Bool { isInterface(name) }

  /// Returns whether `name` is the name of a method, signal or property: `[A-Za-z_][A-Za-z0-9_]*`, at most 255 bytes.
  public static func isMember(_ name: String) -> Bool {
    guard name.utf8.count <= WireLimits.nameLength, let first = name.utf8.first, !isDigit(first) else { return false }
    return name.withUTF8Bytes { $0.allSatisfy(isWordCharacter) }
  }

  /// Returns whether `name` is a bus name, unique (`:1.42`) or well-known (`org.example.Service`), at most 255 bytes.
  public static func isBusName(_ name: String) -> Bool {
    isUniqueName(name) || isWellKnownName(name)
  }

  /// Returns whether `name` is a well-known bus name, which can be requested. In contrast to interface names, its elements may
  /// contain hyphens.
  public static func isWellKnownName(_ name: String) -> Bool {
    name.withUTF8Bytes { isDotted($0, leadingDigits: false, hyphens: true) }
  }

  /// Returns whether `name` is a unique connection name: a colon followed by elements that may also begin with digits.
  public static func isUniqueName(_ name: String) -> Bool {
    guard name.utf8.first == UInt8(ascii: ":"), name.utf8.count <= WireLimits.nameLength else { return false }
    return name.withUTF8Bytes { isDotted(UnsafeBufferPointer(rebasing: $0.dropFirst()), leadingDigits: true, hyphens: true) }
  }

  /// Returns whether `name` is a bus name namespace: a bus name or the first elements of one.
  package static func isNamespace(_ name: String) -> Bool {
    name.withUTF8Bytes { isDotted($0, leadingDigits: false, hyphens: true, minimum: 1) }
  }

  /// Returns whether `path` is an object path: `/`, or elements that each follow a slash.
  public static func isPath(_ path: String) -> Bool {
    path.withUTF8Bytes(isPath)
  }

  private static func isPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "/") else { return false }
    if bytes.count == 1 { return true }
    var afterSlash = false
    for byte in bytes {
      if byte == UInt8(ascii: "/") {
        if afterSlash { return false }
        afterSlash = true
      } else {
        guard isWordCharacter(byte) else { return false }
        afterSlash = false
      }
    }
    return !afterSlash
  }

  /// Returns whether `element` can stand between two slashes of an object path: one or more of `[A-Za-z0-9_]`.
  public static func isPathElement(_ element: String) -> Bool {
    !element.isEmpty && element.withUTF8Bytes { $0.allSatisfy(isWordCharacter) }
  }

  /// Throws `InvalidName` unless `name` is a valid name of the given kind.
  public static func check(_ name: String, as kind: InvalidName.Kind) throws(InvalidName) {
    let isValid =
      switch kind {
      case .interface: isInterface(name)
      case .member: isMember(name)
      case .busName: isBusName(name)
      case .errorName: isErrorName(name)
      case .objectPath: isPath(name)
      case .pathElement: isPathElement(name)
      case .signature: (try? Signature(name)) != nil
      }
    guard isValid else { throw InvalidName(name, as: kind) }
  }

  /// Returns whether the bytes are at least `minimum` elements, separated by dots.
  private static func isDotted(_ bytes: UnsafeBufferPointer<UInt8>, leadingDigits: Bool, hyphens: Bool, minimum: Int = 2) -> Bool
  {
    guard bytes.count <= WireLimits.nameLength else { return false }
    var elements = 1
    var atStart = true
    for byte in bytes {
      if byte == UInt8(ascii: ".") {
        if atStart { return false }
        elements += 1
        atStart = true
      } else {
        guard isWordCharacter(byte) || (hyphens && byte == UInt8(ascii: "-")) else { return false }
        if atStart && !leadingDigits && isDigit(byte) { return false }
        atStart = false
      }
    }
    return !atStart && elements >= minimum
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")) || isDigit(byte) || byte == UInt8(ascii: "_")
  }
}

extension String {
  /// Passes the string's bytes to a closure. Iterating over them is several times as fast as iterating over the string.
  fileprivate func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}

/// The path of an object on its connection, such as `/org/example/Thing`.
///
/// Source: D-Bus Specification, "Valid Object Paths".
public struct ObjectPath: Sendable, Hashable {
  /// The path in its textual form.
  public let string: String

  /// The root path `/`, above all other paths.
  public static let root = ObjectPath(checked: "/")

  /// Creates a path from its textual form.
  ///
  /// - Throws: `InvalidName` if `string` is not an object path.
  public init(_ string: String) throws(InvalidName) {
    try Names.check(string, as: .objectPath)
    self.string = string
  }

  private init(checked string: String) {
    self.string = string
  }

  /// Returns the path of the child called `element`.
  ///
  /// - Throws: `InvalidName` if `element` is empty or contains anything but `[A-Za-z0-9_]`.
  public func appending(_ element: String) throws(InvalidName) -> ObjectPath {
    try Names.check(element, as: .pathElement)
    return ObjectPath(checked: isRoot ? "/" + element : string + "/" + element)
  }

  /// Whether this is `/`.
  public var isRoot: Bool { string.utf8.count == 1 }

  /// The elements between the slashes, outermost first; empty for the root.
  public var elements: [Substring] { string.bytes.split(separator: "/") }

  /// The path without its last element; nil for the root.
  public var parent: ObjectPath? {
    guard !isRoot, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == string.startIndex ? .root : ObjectPath(checked: String(string[..<slash]))
  }

  /// Returns whether this path lies below `other`, at any depth. No path is below itself.
  public func isBelow(_ other: ObjectPath) -> Bool {
    if other.isRoot { return !isRoot }
    let length = other.string.utf8.count
    // Comparing contiguous bytes is several times as fast as comparing with a string's iterator.
    return string.utf8.withContiguousStorageIfAvailable { own in
      other.string.utf8.withContiguousStorageIfAvailable { prefix in
        guard own.count > length, own[length] == UInt8(ascii: "/"), let start = own.baseAddress, let other = prefix.baseAddress
        else {
          return false
        }
        return memcmp(start, other, length) == 0
      } ?? false
    } ?? string.bytes.hasPrefix(other.string + "/")
  }
}

extension ObjectPath: Comparable {
  /// Orders paths by their bytes, so that a parent comes before its children.
  public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.string < right.string }
}

extension ObjectPath: CustomStringConvertible {
  /// The path in its textual form.
  public var description: String { string }
}

extension ObjectPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal in the source code, including `ObjectPath("/a")`. A literal that is not a valid path
  /// is a programming error and traps; pass external input to `init(_:)` as a `String`.
  public init(stringLiteral value: StaticString) {
    let string = value.description
    do {
      try self.init(string)
    } catch {
      preconditionFailure(error.description)
    }
  }
}
