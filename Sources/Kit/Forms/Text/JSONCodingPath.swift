/// The path of a coder in a value. It becomes an array only for an error or for code that reads the path.
indirect enum JSONCodingPath {
  case root
  /// Without a key, the same value, of which another type decodes itself.
  case below(JSONCodingPath, (any CodingKey)?, level: Int)

  /// The maximum number of levels, the same as in ``JSONParser``. Without a limit, a value of a recursive type could overflow
  /// the stack.
  static let mostLevels = 512

  /// The number of values on the way.
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
      if let key { keys.append(key) }
      path = parent
    }
    return keys.reversed()
  }

  /// The path of the same value, of which another type encodes or decodes itself. A level of its own, because that type may
  /// have another one do so, and so on.
  var deeper: JSONCodingPath { .below(self, nil, level: level + 1) }

  /// Returns the path of a member or an element.
  func appending(_ key: any CodingKey) -> JSONCodingPath { .below(self, key, level: level + 1) }

  /// Returns the path of an element.
  func appending(_ index: Int) -> JSONCodingPath { appending(JSONCodingKey(intValue: index)) }
}
