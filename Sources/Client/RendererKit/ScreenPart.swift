/// A part of a screen. All renderers show the parts in the order of this list.
///
/// Messages are directly below the title: they describe the latest result, and users would miss them below a long text.
/// Messages about a field are beside the field instead. A page of the web renderer repeats the errors above the title, with
/// links to the fields.
public enum ScreenPart: Sendable, Hashable, CaseIterable {
  case title, messages, text, picture, progress, countdown, review
  /// The input of the screen: fields, rows or choices.
  case answer
}
