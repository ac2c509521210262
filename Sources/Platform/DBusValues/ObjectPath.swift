import Glibc
import Platform

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

  /// Whether this path lies below `other`, at any depth. No path is below itself.
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
