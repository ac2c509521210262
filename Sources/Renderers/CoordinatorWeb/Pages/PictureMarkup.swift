import CoordinatorKit
import QRCodes

/// The picture of a screen.
struct PictureMarkup: Sendable {
  let picture: Picture

  /// The light margin around a QR code, in modules, that readers need.
  private static let margin = 4

  /// The markup.
  var html: HTML {
    tag("figure", .id("picture"), .class("picture")) {
      switch picture {
      case .image(let image, let description):
        // Part of the page, so that the content security policy need not allow images to be loaded from anywhere.
        let bytes = Base64.encode(image.bytes)
        void(
          "img", Attribute("src", "data:\(image.format.rawValue);base64,\(bytes)"), Attribute("alt", description))
      case .code(let text):
        if let code = QRCode(text) { Self.drawing(of: code) }
        // For users who cannot scan it.
        tag("figcaption", .id("code-text"), .class("code-text"), .ofFlow) { text }
      }
    }
  }

  static func drawing(of code: QRCode) -> HTML {
    let size = code.size + 2 * margin
    return tag(
      "svg", Attribute("viewBox", "0 0 \(size) \(size)"), Attribute("role", "img"), Attribute("shape-rendering", "crispEdges"),
      Attribute("aria-label", Text("QR code").string), Attribute("aria-describedby", "code-text")
    ) {
      tag("rect", Attribute("width", "\(size)"), Attribute("height", "\(size)"), Attribute("fill", "#fff"))
      tag("path", Attribute("fill", "#000"), Attribute("d", path(of: code)))
    }
  }

  /// Returns the dark modules as one path, a rectangle for each run of them in a row.
  private static func path(of code: QRCode) -> String {
    var path = ""
    for row in 0..<code.size {
      var column = 0
      while column < code.size {
        let start = column
        while column < code.size, code[row, column] { column += 1 }
        if column > start { path += "M\(start + margin) \(row + margin)h\(column - start)v1h\(start - column)z" }
        column += 1
      }
    }
    return path
  }
}
