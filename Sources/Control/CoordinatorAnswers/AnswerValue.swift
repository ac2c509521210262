/// The value of a field in an answers file. The field's schema determines the type of text: `on` is a string for one
/// field and true for another.
public enum AnswerValue: Sendable, Hashable {
  /// No value (`~`): the field is left out.
  case nothing
  /// The text as written, without quotation marks.
  case text(String)
  /// The elements of a list as written.
  case list([String])
  /// A reference to an external value.
  case reference(SecretReference)
}
