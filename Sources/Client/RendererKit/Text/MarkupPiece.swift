import CoordinatorKit
import Platform

/// A part of a structured text with a uniform appearance, safe to write to a terminal.
package struct MarkupPiece: Sendable, Hashable {
  /// The meaning of a part.
  package enum Kind: Sendable, Hashable {
    case plain, strong
    /// Literal text to type or read; enclosed in marks, because not every terminal can display it in another style.
    case code
    /// The text of a link.
    case link
    /// The address of a link, in parentheses, after its text.
    case address
  }

  /// The text.
  package let text: String
  /// Its meaning.
  package let kind: Kind
  /// The destination of a link.
  package var link: String?
}

extension Markup.Block {
  /// The parts of a paragraph or of a bullet, in order. Line breaks become spaces.
  package var pieces: [MarkupPiece] { spans.flatMap(\.pieces).filter { !$0.text.isEmpty } }

  /// The lines of a verbatim block.
  package var verbatimLines: [String] { spans.map(\.text).joined().verbatimLines }
}

extension Markup.Span {
  fileprivate var pieces: [MarkupPiece] {
    let text = text.printable
    if let link {
      let scheme = "mailto:"
      let isMail = link.bytes.lowercased.bytes.hasPrefix(scheme)
      let address = String(isMail ? Substring(link.utf8.dropFirst(scheme.utf8.count)) : link[...]).printable
      let piece = MarkupPiece(text: text, kind: .link, link: link.printable)
      return address == text || link == self.text ? [piece] : [piece, MarkupPiece(text: " (\(address))", kind: .address)]
    }
    switch style {
    case .strong: return [MarkupPiece(text: text, kind: .strong)]
    case .code: return [MarkupPiece(text: text.isEmpty ? "" : "`\(text)`", kind: .code)]
    case nil: return [MarkupPiece(text: text, kind: .plain)]
    }
  }
}
