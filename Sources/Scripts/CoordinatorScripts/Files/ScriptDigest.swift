import CoordinatorKit
import Forms

/// What changes with the content of scripts.
enum ScriptDigest {
  /// Returns the digest of texts as a short text.
  static func text(of texts: [String]) -> String {
    (try? JSONValue(encoding: Digest(of: texts, as: .sha256)))?["sha256"]?.string ?? texts.joined()
  }
}
