/// What a character puts into cells: the same here, in ncurses and in the terminal, so that nothing is ever out of line.
///
/// It is the character's first scalar with what is written above and below it. Of a sequence that some terminals join to one picture
/// only the first part is drawn: terminals do not agree on the width of the whole.
struct Glyph: Sendable, Hashable {
  /// The scalars; empty for what takes no room of its own.
  let text: String
  /// 0, 1 or 2 columns.
  let width: Int

  /// ncurses keeps one scalar with four marks in a cell.
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
  /// How many columns it takes in a terminal.
  var columns: Int {
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    return isWide ? 2 : isMark ? 0 : 1
  }

  /// Whether it is written over the scalar before it, or not at all.
  private var isMark: Bool {
    // The second and third part of a Korean syllable, which join the first.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return true }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    case .format: !Self.visibleFormats.contains(value)
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// Joins pictures, or asks for a picture instead of a letter.
  fileprivate var isJoiner: Bool { value == 0x200D || (0xFE00...0xFE0F).contains(value) }

  /// Signs that are written before a number, in Arabic, Syriac and Kaithi.
  private static let visibleFormats: Set<UInt32> = [
    0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
  ]
}

extension StringProtocol {
  /// How many columns the text takes.
  var columns: Int { reduce(0) { $0 + Glyph($1).width } }
}
