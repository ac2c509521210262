/// A part of a screen. All renderers show the parts in the order of this list.
///
/// Messages are directly below the title: they say what has just happened, and would be missed below a long text. Those
/// about a field are beside it instead. A page of the web renderer repeats what is wrong above the title, with links to
/// the fields.
public enum ScreenPart: Sendable, Hashable, CaseIterable {
  case title, messages, text, picture, progress, countdown, review
  /// What the screen is answered with: fields, rows or choices.
  case answer
}
