import CoordinatorKit
import Languages
import Platform
import QRCodes
import RendererKit

/// The page that F2 opens: a QR code and an address that lead a phone to the flow.
struct PhonePage: Sendable {
  let state: Phone.State

  /// The width of the light margin of a code, in modules. Two are enough for a screen, although the standard asks for four.
  private static let margin = 2
  /// The distance between the code and the text beside it.
  private static let gap = 3
  /// The minimum width of the text beside a code.
  private static let leastText = 28

  func page(_ drawing: Drawing) -> Page {
    switch state {
    case .none, .starting: page(drawing, [Text("Making this flow reachable for your phone …").string])
    case .failed(let lines): page(drawing, [Text("Your phone cannot reach this flow:").string] + lines)
    case .ready(let link): page(link, drawing)
    }
  }

  private var title: Line { Line(Text("Continue on your phone").string, .strong) }

  private func page(_ drawing: Drawing, _ texts: [String]) -> Page {
    var page = Page(top: [title])
    page.append(texts.flatMap { drawing.wrapped($0.printable) }, spaced: true)
    return page
  }

  private func page(_ link: PhoneLink, _ drawing: Drawing) -> Page {
    let code = link.code.map { $0.halfBlocks(margin: Self.margin) } ?? []
    let width = link.code.map { $0.size + 2 * Self.margin } ?? 0
    let rest = drawing.columns - width - Self.gap
    let fits = drawing.symbols.hasBlocks && !code.isEmpty && width <= drawing.columns && code.count <= drawing.size.rows
    guard fits else {
      var page = Page(top: [title])
      let hint = Text("In a larger window, there is a code to scan.").string
      page.append(drawing.wrapped(hint, .quiet), spaced: true)
      page.append(text(link, drawing), spaced: true)
      return page
    }
    let rows = code.map { Line($0, Look(colour: .paper)) }
    guard rest >= Self.leastText else { return Page(middle: rows + [title] + text(link, drawing)) }
    var narrow = drawing
    narrow.size.columns = rest
    let beside = [title, .blank] + text(link, narrow)
    let blank = String(repeating: " ", count: width)
    return Page(
      middle: (0..<max(rows.count, beside.count)).map { row in
        let left = row < rows.count ? rows[row].spans : [Span(blank)]
        let right = row < beside.count ? beside[row].spans : []
        return Line(left + [Span(String(repeating: " ", count: Self.gap))] + right)
      })
  }

  /// Returns the text for a link, in short paragraphs.
  private func text(_ link: PhoneLink, _ drawing: Drawing) -> [Line] {
    drawing.wrapped(Text("Scan the code with a phone on this network, or open there:").string)
      + drawing.broken(link.address, .strong) + [.blank]
      + drawing.wrapped(Text("The address works once, for ten minutes.").string) + [.blank]
      + drawing.wrapped(
        Text("The phone may warn of a certificate that it does not know. This is the right one (SHA-256):").string)
      + fingerprint(link.fingerprint, columns: drawing.columns).map { Line($0, .quiet) }
  }

  /// Splits a fingerprint between its bytes.
  private func fingerprint(_ text: String, columns: Int) -> [String] {
    let bytes = text.bytes.split(separator: ":")
    let count = max(min((columns + 1) / 3, 8), 1)
    return stride(from: 0, to: bytes.count, by: count).map { start in
      bytes[start..<min(start + count, bytes.count)].joined(separator: ":")
    }
  }
}
