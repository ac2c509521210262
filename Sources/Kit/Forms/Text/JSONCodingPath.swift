/// The path of a coder in a value. It becomes an array only for an error or for code that reads the path.
indirect enum JSONCodingPath {
  case root
  case below(JSONCodingPath, any CodingKey, level: Int)

  /// The maximum number of levels, the same as in ``JSONParser``. Without a limit, a value of a recursive type could overflow
  /// the stack.
  static let mostLevels = 512

  /// The number of keys.
  var level: Int {
    switch self {
    case .root: 0
    case .below(_, _, let level): level
    }
  }

  /// The keys, outermost first.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while case .below(let parent, let key, _) = path {
      keys.append(key)
      path = parent
    }
    return keys.reversed()
  }

  /// Returns the path of a member or an element.
  func appending(_ key: any CodingKey) -> JSONCodingPath { .below(self, key, level: level + 1) }

  /// Returns the path of an element.
  func appending(_ index: Int) -> JSONCodingPath { appending(JSONCodingKey(intValue: index)) }
}
