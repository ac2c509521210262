import Platform

/// A key of a description that nothing reads: misspelt, or of a newer version of the contract.
package struct UnknownKey: Sendable, Hashable, CustomStringConvertible {
  /// The key, after the dictionary that has it: `actions.titel`.
  package let key: String
  /// The key of the same dictionary that may have been meant; nil if none is similar.
  package let meant: String?

  /// Creates a key that is unknown where others are known.
  package init(_ key: String, in dictionary: String?, among known: some Collection<String>) {
    self.key = dictionary.map { "\($0).\(key)" } ?? key
    meant = Suggestion.best(for: key, among: known.sorted())
  }

  /// For authors: `'actions.titel', which nothing reads (did you mean 'title'?)`.
  package var description: String { "'\(key)', which nothing reads" + (meant.map { " (did you mean '\($0)'?)" } ?? "") }
}

/// Which keys of a description its readers have asked for, for one reading. What a newer daemon sends may hold more; of what
/// an author sends, more is worth a notice.
package final class KeyLedger {
  private struct Keys {
    var present: Set<String> = []
    var known: Set<String> = []
  }

  private var dictionaries: [String?: Keys] = [:]

  /// Records the keys that a dictionary has.
  func add(_ present: some Sequence<String>, of name: String?) { dictionaries[name, default: Keys()].present.formUnion(present) }

  /// Records a key that is asked for.
  func ask(_ key: String, of name: String?) { dictionaries[name, default: Keys()].known.insert(key) }

  /// The keys that nothing has asked for, once all is read.
  var unknown: [UnknownKey] {
    dictionaries.flatMap { name, keys in
      keys.present.subtracting(keys.known).map { UnknownKey($0, in: name, among: keys.known) }
    }.sorted { $0.key < $1.key }
  }
}
