import CoordinatorKit
import Platform
import QRCodes
import RendererKit
import TLS

/// Shows the entry addresses to the user who started the server.
struct Announcer: Sendable {
  /// The form in which addresses are shown.
  enum Format: Sendable, Hashable {
    /// Only the addresses, one on each line, for scripts.
    case bare
    /// Each address as a line of JSON, for programs that show it themselves.
    case json
    /// For a person at a terminal.
    case terminal(TextStyle)
  }

  let format: Format
  /// Whether other machines reach the server.
  let isOnNetwork: Bool
  /// The fingerprint of the server's certificate; nil without TLS.
  let fingerprint: CertificateFingerprint?
  let write: @Sendable (String) -> Void

  /// Shows an address.
  func announce(_ entry: EntryAddress) {
    switch format {
    case .bare: write(entry.address + "\n")
    case .json: write(json(entry).canonicalText + "\n")
    case .terminal(let style): write(lines(entry, style).map { $0 + "\n" }.joined())
    }
  }

  private func json(_ entry: EntryAddress) -> JSONValue {
    var object: [String: JSONValue] = [
      "address": .string(entry.address), "code": .string(entry.codeText), "because": .string(entry.occasion.rawValue),
    ]
    object["fingerprint"] = fingerprint.map { .string($0.description) }
    object["seconds"] = entry.lifetime.map { .integer($0.components.seconds) }
    return .object(object)
  }

  private func lines(_ entry: EntryAddress, _ style: TextStyle) -> [String] {
    let how =
      isOnNetwork ? "Scan the code with a phone, or open this address:" : "Open this address in a browser on this machine:"
    var lines = [what(entry.occasion), how].compactMap(\.self) + ["", "  " + style.strong(entry.address), ""]
    if isOnNetwork { lines += code(entry.codeText, style) }
    guard entry.occasion == .start else { return lines }
    return lines + reach + ["Ctrl-C stops the server; the flows continue.", ""]
  }

  /// Returns what happened to the last address; nil if there was none.
  private func what(_ occasion: EntryAddress.Occasion) -> String? {
    switch occasion {
    case .start: nil
    case .use: "A browser has used the address. Here is one for the next browser."
    case .expiry: "Here is a new address."
    }
  }

  /// Reports that the address has expired, and how to get another one.
  func announceExpiry() { write("The address has expired. Press Enter for a new one.\n") }

  /// The lines that explain from where the server can be reached.
  private var reach: [String] {
    guard isOnNetwork else {
      return [
        "It lets one browser in, and only from this machine.",
        "For phones and other machines, start coordinator-web --lan.",
      ]
    }
    var lines = [
      "Every machine on the network reaches the server, but only who has this address",
      "gets in: one browser, within ten minutes.",
    ]
    if let fingerprint {
      // In two lines, because it is wider than many terminals.
      let bytes = fingerprint.description.bytes.split(separator: ":")
      lines += [
        "A browser may warn of a certificate that it does not know. This is the right one", "(SHA-256):", "",
        "  " + bytes.prefix(16).joined(separator: ":"), "  " + bytes.dropFirst(16).joined(separator: ":"),
      ]
    }
    return lines + [""]
  }

  private func code(_ text: String, _ style: TextStyle) -> [String] {
    guard style.isUnicode, let code = QRCode(text) else { return [] }
    // White on black, regardless of the terminal's colors.
    let rows = code.halfBlocks(margin: 2).map { style.isColoured ? "  \u{1B}[97;40m\($0)\u{1B}[0m" : "  " + $0 }
    return rows + [""]
  }
}
