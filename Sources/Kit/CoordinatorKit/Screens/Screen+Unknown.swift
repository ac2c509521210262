extension Screen {
  /// What a renderer displays for a screen that it cannot show.
  public static var cannotBeShown: String {
    Text("This screen cannot be shown here. Answer it in another renderer.").string
  }

  /// Returns the screen to show in place of one whose kind this version does not know. It cannot be answered.
  ///
  /// - Parameters:
  ///   - name: the screen's name.
  ///   - title: the screen's title.
  ///   - body: the screen's body.
  /// - Returns: a message with the code `unknown-kind` and no actions.
  public static func ofUnknownKind(_ name: String, title: String, body: String) -> Screen {
    .message(
      name, title: Text(verbatim: title), body: Text(verbatim: body),
      messages: [.warning("unknown-kind", Text(verbatim: cannotBeShown))])
  }
}
