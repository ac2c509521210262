/// A screen as whoever decides for a coordinator has described it, which the daemon keeps for as long as it is shown.
package struct DescribedScreen: Sendable, Hashable {
  /// What is shown.
  package let content: Screen
  /// Whether Back is offered.
  package let back: Bool
  /// Roughly how many bytes it takes up.
  let size: Int

  /// Creates a screen.
  package init(_ content: Screen, back: Bool = true) {
    (self.content, self.back) = (content, back)
    size = content.roughSize + (content.form?.schema.json.roughSize ?? 0)
  }
}

/// Screens are stored as JSON: the keys of the contract, and what earlier versions have stored of them.
extension DescribedScreen: Codable {
  private enum CodingKeys: CodingKey {
    case back, description
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try Screen(describedAs: values.decode([String: JSONValue].self, forKey: .description)),
      back: try values.decode(Bool.self, forKey: .back))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(content.json, forKey: .description)
    try values.encode(back, forKey: .back)
  }
}
