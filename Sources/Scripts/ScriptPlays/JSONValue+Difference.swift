import Forms

extension JSONValue {
  /// The first difference between two values; nil if they are the same.
  ///
  /// - Parameter other: the other value.
  /// - Returns: where they differ and what stands there, for people.
  func difference(from other: JSONValue) -> (one: String, other: String)? { difference(from: other, at: "") }

  private func difference(from other: JSONValue, at path: String) -> (one: String, other: String)? {
    if self == other { return nil }
    func inside(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    if let one = object, let two = other.object {
      for name in Set(one.keys).union(two.keys).sorted(by: Self.precedes) where one[name] != two[name] {
        return (one[name] ?? .null).difference(from: two[name] ?? .null, at: inside(name))
      }
    }
    if let one = array, let two = other.array, one.count == two.count {
      for (index, (one, two)) in zip(one, two).enumerated() where one != two {
        return one.difference(from: two, at: inside("\(index + 1)"))
      }
    }
    let name = path.isEmpty ? "" : "\(path): "
    return ("\(name)\(shortText)", "\(name)\(other.shortText)")
  }

  /// What people see comes first.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    let order = ["title", "body", "items", "actions"]
    let (first, second) = (order.firstIndex(of: one) ?? order.count, order.firstIndex(of: other) ?? order.count)
    return first != second ? first < second : one < other
  }

  private var shortText: String {
    let text = self == .null ? "nothing" : canonicalText
    return text.unicodeScalars.count > 200 ? "\(String(text.unicodeScalars.prefix(200)))…" : text
  }
}
