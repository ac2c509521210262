extension Bounds {
  /// Returns the bounds in words: "1 to 64", "at least 3", "more than 0".
  func words(_ text: (Value) -> String) -> String {
    switch (lower, upper) {
    case (.inclusive(let least), .inclusive(let most)): return least == most ? text(least) : "\(text(least)) to \(text(most))"
    default: break
    }
    let least = lower.map { $0.isExclusive ? "more than \(text($0.value))" : "at least \(text($0.value))" }
    let most = upper.map { $0.isExclusive ? "less than \(text($0.value))" : "at most \(text($0.value))" }
    return [least, most].compactMap { $0 }.joined(separator: " and ")
  }
}

extension Bounds<Int> {
  /// Returns the bounds of a count in words: "1 to 64 characters".
  func words(of one: String, _ many: String? = nil) -> String {
    let isOne = upper?.value ?? lower?.value == 1
    return "\(words { String($0) }) \(isOne ? one : many ?? one + "s")"
  }
}
