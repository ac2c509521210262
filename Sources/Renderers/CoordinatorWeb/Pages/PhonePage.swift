import CoordinatorKit
import Languages
import QRCodes

/// The page that leads a phone to a flow: a QR code. The script returns to the flow when the code is used or has expired, and
/// when the flow has ended.
struct PhonePage: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let token: FormToken
  /// The address for the phone; nil before it is requested.
  var entry: EntryAddress?
  /// The number of the code; nil before it is requested.
  var code: Int?
  /// Whether this machine is currently on a network.
  var isConnected = true
  /// The fingerprint of the server's certificate; nil if the server does not know it.
  var fingerprint: String?
  /// The question whether the user is still present; nil if the flow has no time limit without input.
  var idle: IdleMarkup?

  /// The page.
  var html: HTML {
    let title = Text("Continue on your phone").string
    let lifetime = entry?.lifetime
    return Shell(links: links, title: title, reloadTime: lifetime.map { UInt64(clamping: $0.components.seconds) }).page(
      .flag("data-aside", true), Attribute("data-tree", links.tree(tree)), Attribute("data-events", links.events(of: tree)),
      Attribute("data-home", links.home), Attribute("data-code", code.map(String.init)),
      Attribute("data-lifetime", lifetime.map(TimedSentence.milliseconds))
    ) {
      tag("div", .class("card"), .english) {
        tag("h1", .id("title"), Attribute("tabindex", "-1")) { title }
        if let entry {
          address(entry)
        } else {
          if !isConnected { cutOff }
          tag("form", Attribute("method", "post"), Attribute("action", links.phone(of: tree))) {
            token.hidden()
            tag("button", .class("primary")) { Text("Show a code").string }
          }
        }
        tag("p", .class("links")) {
          tag("a", Attribute("href", links.tree(tree))) { Text("Back to the flow").string }
        }
      }
      idle?.html
    }
  }

  @HTMLBuilder private func address(_ entry: EntryAddress) -> HTML {
    tag("p") { Text("Scan the code with a phone on this network, or open the address there.").string }
    tag("figure", .id("picture"), .class("picture")) {
      if let code = QRCode(entry.codeText) { PictureMarkup.drawing(of: code) }
      tag("figcaption", .id("code-text"), .class("code-text")) { entry.address }
    }
    tag("p") { Text("The address works once, for ten minutes.").string }
    if let fingerprint {
      tag("p") {
        Text("The phone may warn of a certificate that it does not know. This is the right one (SHA-256):").string
      }
      tag("p", .class("code-text")) { tag("code") { fingerprint } }
    }
  }

  private var cutOff: HTML {
    tag("p", .class("notice"), Attribute("role", "status")) {
      Text("This machine has no address on a network. Connect it, by cable or Wi-Fi, and try again.").string
    }
  }
}

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
