import Languages

extension Bounds {
  /// The bounds in words: "1 to 64", "at least 3", "more than 0".
  func words(_ text: (Value) -> String) -> Text {
    if case (.inclusive(let least), .inclusive(let most)) = (lower, upper) {
      if least == most { return Text(verbatim: text(least)) }
      return Text("{least} to {most}", ["least": text(least), "most": text(most)], context: "bounds")
    }
    let least = lower.map { bound in
      bound.isExclusive
        ? Text("more than {value}", ["value": text(bound.value)], context: "bounds")
        : Text("at least {value}", ["value": text(bound.value)], context: "bounds")
    }
    let most = upper.map { bound in
      bound.isExclusive
        ? Text("less than {value}", ["value": text(bound.value)], context: "bounds")
        : Text("at most {value}", ["value": text(bound.value)], context: "bounds")
    }
    guard let least, let most else { return least ?? most ?? Text(verbatim: "") }
    return Text("{least} and {most}", ["least": least, "most": most], context: "bounds")
  }

  /// Returns the reason why a number is outside of the bounds, to be read after the title of its field.
  ///
  /// - Parameters:
  ///   - unit: the unit of the number, if it has one.
  ///   - text: returns a bound as readers write it.
  /// - Returns: the reason, such as "must be 1 to 64 GB".
  func reason(unit: String?, _ text: (Value) -> String) -> String {
    // TRANSLATORS: The bounds are such as "1 to 64", "at least 3" and "more than 0".
    guard let unit else { return Text("must be {bounds}", ["bounds": words(text)]).string }
    return Text("must be {bounds} {unit}", ["bounds": words(text), "unit": unit]).string
  }
}

extension Bounds<Int> {
  /// The bound of a count that selects singular or plural.
  var plural: Int { upper?.value ?? lower?.value ?? 0 }

  /// The bounds of a count in words: "1 to 64".
  var words: Text { words { String($0) } }
}
