/// The keys of a screen. The raw values are the keys of the dictionary that describes a screen in the D-Bus contract,
/// and in JSON.
public enum ScreenKey: String, Sendable, Hashable, CaseIterable {
  /// Where the screen stands; these never change while it is shown.
  case id, coordinator, style, layer
  /// The properties of ``Screen`` with these names.
  case name, kind, title, body, actions, items, values, messages, progress, accent, until
  /// The parts of ``Screen`` that only some screens have.
  case step, choosing, suggested, blocks, picture, review, origin, elapses
  /// `Form.schema` of the screen's form.
  case schema
  /// `Form.order` of the screen's form.
  case fields
  /// ``ShownScreen/back``.
  case back
  /// ``ShownScreen/leaves``.
  case leaves
  /// ``ShownScreen/draft``.
  case draft
}
