import Languages
import QRCodes

/// The page that leads a phone to a flow: a QR code, or how to get one.
struct PhonePage: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let token: FormToken
  /// The address for the phone; nil before it is asked for.
  var entry: EntryAddress?
  /// Whether phones can reach the server.
  var isReachable = true
  /// Whether this machine is on a network now.
  var isConnected = true
  /// The fingerprint of the server's certificate; nil if the server does not know it.
  var fingerprint: String?

  /// The page.
  var html: HTML {
    let title = Text("Continue on your phone").string
    return Shell(links: links, title: title).page {
      tag("div", .class("card"), .english) {
        tag("h1", .id("title"), Attribute("tabindex", "-1")) { title }
        if !isReachable {
          unreachable
        } else if let entry {
          code(entry)
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
    }
  }

  @HTMLBuilder private func code(_ entry: EntryAddress) -> HTML {
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

  @HTMLBuilder private var unreachable: HTML {
    tag("p") { Text("This page can be reached from this machine only.").string }
    tag("p") { Text("To open it on the network, start it again like this:").string }
    tag("pre") { tag("code") { "coordinator-web \(tree) --lan" } }
    tag("p") { Text("In a terminal, F2 in coordinator-tui does the same for the flow that it shows.").string }
  }
}
