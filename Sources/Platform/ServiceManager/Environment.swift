import Glibc

/// The environment of this process.
public enum Environment {
  /// The value of a variable; nil if it is not set.
  @Sendable public static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
