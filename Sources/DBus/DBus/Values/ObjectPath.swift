import Glibc

/// The path of an object on its connection, such as `/org/example/Thing`.
///
/// Source: D-Bus Specification, "Valid Object Paths".
public struct ObjectPath: Sendable, Hashable {
  /// The path as it is written.
  public let string: String

  /// `/`, above all other paths.
  public static let root = ObjectPath(checked: "/")

  /// Takes a path as it is written.
  ///
  /// - Throws: `InvalidName` when it is no object path.
  public init(_ string: String) throws(InvalidName) {
    try Names.check(string, as: .objectPath)
    self.string = string
  }

  private init(checked string: String) {
    self.string = string
  }

  /// The path of the child called `element`.
  ///
  /// - Throws: `InvalidName` when `element` is empty or holds anything but `[A-Za-z0-9_]`.
  public func appending(_ element: String) throws(InvalidName) -> ObjectPath {
    try Names.check(element, as: .pathElement)
    return ObjectPath(checked: isRoot ? "/" + element : string + "/" + element)
  }

  /// Whether this is `/`.
  public var isRoot: Bool { string.utf8.count == 1 }

  /// The names between the slashes, outermost first; none for the root.
  public var elements: [Substring] { string.split(separator: "/") }

  /// The path one element shorter; nil for the root.
  public var parent: ObjectPath? {
    guard !isRoot, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == string.startIndex ? .root : ObjectPath(checked: String(string[..<slash]))
  }

  /// Whether this path lies under `other`, at any depth. No path is below itself.
  public func isBelow(_ other: ObjectPath) -> Bool {
    if other.isRoot { return !isRoot }
    let length = other.string.utf8.count
    // Bytes in a row are compared several times as fast as by a string's iterator.
    return string.utf8.withContiguousStorageIfAvailable { own in
      other.string.utf8.withContiguousStorageIfAvailable { prefix in
        guard own.count > length, own[length] == UInt8(ascii: "/"), let start = own.baseAddress, let other = prefix.baseAddress
        else {
          return false
        }
        return memcmp(start, other, length) == 0
      } ?? false
    } ?? string.hasPrefix(other.string + "/")
  }
}

extension ObjectPath: Comparable {
  /// Orders paths by their bytes, so that a parent comes before its children.
  public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.string < right.string }
}

extension ObjectPath: CustomStringConvertible {
  /// The path as it is written.
  public var description: String { string }
}

extension ObjectPath: ExpressibleByStringLiteral {
  /// A path written in the source code, also as in `ObjectPath("/a")`. A literal that is no path is a programming error and
  /// traps: anything from outside goes through `init(_:)` as a `String`.
  public init(stringLiteral value: StaticString) {
    let string = value.description
    do {
      try self.init(string)
    } catch {
      preconditionFailure(error.description)
    }
  }
}
