/// Checks the types of values against the rules of signatures without building the signature.
package enum TypeShape {
  /// Returns the length in bytes of the signature of `types`; nil if there is none because a rule or a limit is
  /// violated.
  package static func length(of types: [SingleType]) -> Int? {
    var length = 0
    for type in types {
      guard let more = self.length(of: type, arrays: 0, structures: 0) else { return nil }
      length += more
      guard length <= WireLimits.signatureLength else { return nil }
    }
    return length
  }

  /// Returns the length in bytes of the signature of `value`; nil if there is none. A variant is `v`, whatever its
  /// content.
  package static func length(of value: Value) -> Int? { length(of: value, structures: 0) }

  private static func length(of value: Value, structures: Int) -> Int? {
    switch value {
    case .array(let element, _):
      return length(of: element, arrays: 1, structures: structures).map { $0 + 1 }
    case .dictionary(let key, let content, _):
      return dictionaryLength(key: key, value: content, arrays: 0, structures: structures)
    case .structure(let members):
      guard structures < WireLimits.typeNesting, !members.isEmpty else { return nil }
      var total = 2
      for member in members {
        guard let more = length(of: member, structures: structures + 1) else { return nil }
        total += more
        guard total <= WireLimits.signatureLength else { return nil }
      }
      return total
    default:
      return 1
    }
  }

  private static func length(of type: SingleType, arrays: Int, structures: Int) -> Int? {
    switch type {
    case .array(let element):
      guard arrays < WireLimits.typeNesting else { return nil }
      return length(of: element, arrays: arrays + 1, structures: structures).map { $0 + 1 }
    case .dictionary(let key, let value):
      return dictionaryLength(key: key, value: value, arrays: arrays, structures: structures)
    case .structure(let members):
      guard structures < WireLimits.typeNesting, !members.isEmpty else { return nil }
      var total = 2
      for member in members {
        guard let more = length(of: member, arrays: arrays, structures: structures + 1) else { return nil }
        total += more
        guard total <= WireLimits.signatureLength else { return nil }
      }
      return total
    default:
      return 1
    }
  }

  private static func dictionaryLength(key: SingleType, value: SingleType, arrays: Int, structures: Int) -> Int? {
    guard arrays < WireLimits.typeNesting, key.isBasic else { return nil }
    return length(of: value, arrays: arrays + 1, structures: structures).map { $0 + 4 }
  }
}
