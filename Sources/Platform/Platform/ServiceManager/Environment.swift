import Glibc

/// The environment of this process.
public enum Environment {
  /// Returns the value of a variable; nil if it is not set.
  ///
  /// Source: getenv(3).
  @Sendable public static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
