/// Text within XML and HTML.
package enum MarkupText {
  /// Returns a text for the content of an element or for a quoted attribute of HTML.
  ///
  /// HTML allows no control characters except the line feed and the tab, and no reference to NUL. U+FFFD replaces NUL; the
  /// other ASCII control characters become references, which browsers accept.
  ///
  /// Source: HTML Standard, section 13.1.4, "Character references".
  package static func html(_ text: String) -> String {
    escaped(text) { scalar in
      switch scalar {
      case "'": "&#39;"
      case "\0": "\u{FFFD}"
      case "\n", "\t": nil
      // For compatibility with old pages, references to control characters from U+0080 on stand for other characters.
      default: scalar.isASCII && scalar.properties.generalCategory == .control ? "&#\(scalar.value);" : nil
      }
    }
  }

  /// Returns a text for the content of an element or for a quoted attribute of XML 1.0. U+FFFD replaces characters that no
  /// document can contain.
  ///
  /// Source: Extensible Markup Language 1.0, sections 2.2 and 3.3.3.
  package static func xml(_ text: String) -> String {
    escaped(text) { scalar in
      switch scalar {
      case "\n", "\t", "\r": "&#\(scalar.value);"
      default: isXMLCharacter(scalar) ? nil : "\u{FFFD}"
      }
    }
  }

  /// Returns whether an XML 1.0 document can contain a character.
  package static func isXMLCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  private static func escaped(_ text: String, _ other: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: if let escaped = other(scalar) { result += escaped } else { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
