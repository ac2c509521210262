/// A character as it occupies cells. This program, ncurses and the terminal agree on its width, so columns stay
/// aligned.
///
/// It consists of the character's first scalar and the marks combined with it. Of a sequence that some terminals join
/// into one picture, only the first part is drawn, because terminals disagree on the width of the whole.
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
  /// The number of columns that the scalar occupies in a terminal.
  var columns: Int {
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    return isWide ? 2 : isMark ? 0 : 1
  }

  /// Whether the scalar combines with the preceding one, or is invisible.
  private var isMark: Bool {
    // The vowels and final consonants of decomposed Korean syllables, which combine with the initial consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return true }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    case .format: !Self.visibleFormats.contains(value)
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// Whether the scalar joins pictures (U+200D), or selects a picture or text (variation selectors).
  fileprivate var isJoiner: Bool { value == 0x200D || (0xFE00...0xFE0F).contains(value) }

  /// The number signs of Arabic, Syriac and Kaithi. They are format characters, but visible.
  private static let visibleFormats: Set<UInt32> = [
    0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
  ]
}

extension StringProtocol {
  /// The number of columns that the text occupies.
  var columns: Int { reduce(0) { $0 + Glyph($1).width } }
}
