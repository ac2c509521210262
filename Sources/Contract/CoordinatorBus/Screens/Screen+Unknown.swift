import CoordinatorKit

extension Screen {
  /// What a renderer says of a screen that it cannot show.
  public static let cannotBeShown = "This screen cannot be shown here. Answer it in another renderer."

  /// What is shown instead of a screen whose kind this version does not know: nothing on it can be answered.
  ///
  /// - Parameters:
  ///   - name: the name of the screen.
  ///   - title: its title.
  ///   - body: its body.
  /// - Returns: a message with the code `unknown-kind`, without actions.
  public static func ofUnknownKind(_ name: String, title: String, body: String) -> Screen {
    .message(name, title: title, body: body, messages: [.warning("unknown-kind", cannotBeShown)])
  }
}
