/// Where a screen stands in relation to the screens below it. The raw values are the words of the D-Bus contract.
public enum ScreenStyle: String, Sendable, Hashable, Codable, CaseIterable {
  /// The only screen of a window router.
  case root
  /// A screen on top of the one below in the same layer, or the first screen of a navigation router.
  case push
  /// The lowest screen of a modal layer.
  case modal
}
