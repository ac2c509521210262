import Forms
import Platform

/// Text with dialog's `\Z` sequences. Bold, underlined, reversed and colored text is emphasized.
struct DialogMarkup: Sendable, Hashable {
  /// The text without the sequences.
  var plain: ProgramText
  /// The pieces of the text, each with or without emphasis.
  private(set) var pieces: [Piece]

  struct Piece: Sendable, Hashable {
    var text: ProgramText
    var isStrong: Bool
  }

  /// Whether any piece is emphasized.
  var isMarked: Bool { pieces.contains(where: \.isStrong) }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - isOn: whether `--colors` enables the sequences.
  init(_ text: ProgramText, isOn: Bool) {
    guard isOn else {
      (plain, pieces) = (text, [Piece(text: text, isStrong: false)])
      return
    }
    var state = State()
    var piece: [UInt8] = []
    (plain, pieces) = ("", [])
    var index = 0
    let bytes = text.bytes
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "Z") {
        let before = state.isStrong
        state.apply(bytes[index + 2])
        if before != state.isStrong { add(&piece, isStrong: before) }
        index += 3
        continue
      }
      piece.append(bytes[index])
      index += 1
    }
    add(&piece, isStrong: state.isStrong)
  }

  private mutating func add(_ piece: inout [UInt8], isStrong: Bool) {
    guard !piece.isEmpty else { return }
    pieces.append(Piece(text: ProgramText(piece), isStrong: isStrong))
    plain.bytes += piece
    piece = []
  }

  private struct State {
    var attributes: Set<UInt8> = []
    var hasColor = false
    var isStrong: Bool { hasColor || !attributes.isEmpty }

    mutating func apply(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "n"): self = State()
      case UInt8(ascii: "b"), UInt8(ascii: "u"), UInt8(ascii: "r"): attributes.insert(byte)
      case UInt8(ascii: "B"), UInt8(ascii: "U"), UInt8(ascii: "R"): attributes.remove(byte.asciiLowercased)
      // Black and white are the usual colors of text.
      case UInt8(ascii: "0"), UInt8(ascii: "7"): hasColor = false
      case UInt8(ascii: "1")...UInt8(ascii: "6"): hasColor = true
      default: break
      }
    }
  }
}
