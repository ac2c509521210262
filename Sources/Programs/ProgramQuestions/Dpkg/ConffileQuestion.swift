/// What dpkg and apt say about a configuration file by which dpkg is held up.
package struct ConffileQuestion: Sendable, Hashable {
  /// The file in use.
  package let current: String
  /// The file of the package.
  package let new: String
  /// Whether the file in use was changed here.
  package let isEdited: Bool
  /// Whether the package has changed its file.
  package let isUpdated: Bool

  /// Reads `'CURRENT' 'NEW' EDITED UPDATED`.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard let open = text.firstIndex(of: "'"), let middle = text.firstRange(of: "' '"),
      let close = text.lastIndex(of: "'"), open < middle.lowerBound, middle.upperBound <= close
    else { return nil }
    let flags = text[text.index(after: close)...].split(separator: " ")
    guard flags.count == 2, flags.allSatisfy({ $0 == "0" || $0 == "1" }) else { return nil }
    current = String(text[text.index(after: open)..<middle.lowerBound])
    new = String(text[middle.upperBound..<close])
    (isEdited, isUpdated) = (flags[0] == "1", flags[1] == "1")
  }

  /// Reads a line that dpkg writes to its `--status-fd`: `status: FILE : conffile-prompt : 'CURRENT' 'NEW' 1 1`.
  ///
  /// - Parameter line: the line without its line break.
  /// - Returns: the file and the question; nil if the line says anything else.
  package static func read(dpkgStatus line: String) -> (path: String, question: ConffileQuestion)? {
    guard line.hasPrefix("status: "), let place = line.firstRange(of: " : conffile-prompt : "),
      let question = ConffileQuestion(line[place.upperBound...])
    else { return nil }
    return (String(line[..<place.lowerBound].dropFirst("status: ".count)), question)
  }
}
