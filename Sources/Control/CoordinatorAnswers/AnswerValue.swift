/// What an answers file holds for one field. Of which type a text is, the field's schema says: `on` is a text for one field and true
/// for another.
public enum AnswerValue: Sendable, Hashable {
  /// Nothing (`~`): the field is left out.
  case nothing
  /// What was written, without its quotation marks.
  case text(String)
  /// What was written for a list.
  case list([String])
  /// Where to read the value.
  case reference(SecretReference)
}
