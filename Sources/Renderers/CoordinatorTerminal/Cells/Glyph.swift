/// A character as it occupies cells. This program, ncurses and the terminal agree on its width, so columns stay aligned.
///
/// It consists of the character's first scalar and the marks combined with it. Of a sequence that some terminals join into one
/// picture, only the first part is drawn, because terminals disagree on the width of the whole. Flags are an exception, because
/// all terminals draw them in two columns.
struct Glyph: Sendable, Hashable {
  /// The scalars; empty if the character occupies no column.
  let text: String
  /// The number of columns: 0, 1 or 2.
  let width: Int

  /// The number of marks that ncurses stores in a cell in addition to the base scalar (`CCHARW_MAX` is 5).
  private static let mostMarks = 4

  init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, first.columns > 0 else {
      (text, width) = ("", 0)
      return
    }
    if scalars.count == 2, scalars.allSatisfy(\.isRegionalIndicator) {
      // A flag: two letters of one column each, which terminals join.
      (text, width) = (String(character), 2)
      return
    }
    width = first.columns
    if scalars.count == 1 {
      text = String(character)
    } else {
      var kept = String.UnicodeScalarView()
      kept.append(first)
      let marks = scalars.dropFirst().prefix { $0.columns == 0 && !$0.isJoiner }
      kept.append(contentsOf: marks.prefix(Self.mostMarks))
      text = String(kept)
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar joins pictures (U+200D), or selects a picture or text (variation selectors).
  fileprivate var isJoiner: Bool { value == 0x200D || (0xFE00...0xFE0F).contains(value) }
}

extension Unicode.Scalar {
  /// Whether the scalar is one of the letters that make flags in pairs.
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension StringProtocol {
  /// The number of columns that the text occupies.
  var columns: Int { reduce(0) { $0 + Glyph($1).width } }
}
