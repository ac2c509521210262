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

extension DescribedScreen: Codable {
  private enum CodingKeys: String, CodingKey {
    case content = "description"
    case back
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.decode(Screen.self, forKey: .content), back: try values.decode(Bool.self, forKey: .back))
  }
}
