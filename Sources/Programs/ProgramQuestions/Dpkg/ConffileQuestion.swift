import Platform

/// The description of a configuration file that dpkg waits for a decision about, as dpkg and apt report it.
package struct ConffileQuestion: Sendable, Hashable {
  /// The file in use.
  package let current: String
  /// The file of the package.
  package let new: String
  /// Whether the administrator has changed the file in use.
  package let isEdited: Bool
  /// Whether the package has changed its file.
  package let isUpdated: Bool

  /// Reads `'CURRENT' 'NEW' EDITED UPDATED`.
  package init?(_ text: some StringProtocol) {
    guard let (_, quoted) = String(text).bytes.cut(at: "'"), let (names, rest) = quoted.bytes.cutLast(at: "'"),
      let (current, new) = names.bytes.cut(at: "' '")
    else { return nil }
    let flags = rest.bytes.split(separator: " ")
    guard flags.count == 2, flags.allSatisfy({ $0 == "0" || $0 == "1" }) else { return nil }
    (self.current, self.new) = (String(current), String(new))
    (isEdited, isUpdated) = (flags[0] == "1", flags[1] == "1")
  }

  /// Reads a line that dpkg writes to its `--status-fd`: `status: FILE : conffile-prompt : 'CURRENT' 'NEW' 1 1`.
  ///
  /// - Parameter line: the line without its line break.
  /// - Returns: the file and the question; nil for any other line.
  package static func read(dpkgStatus line: String) -> (path: String, question: ConffileQuestion)? {
    guard let (path, names) = line.bytes.dropping(prefix: "status: ")?.bytes.cut(at: " : conffile-prompt : "),
      let question = ConffileQuestion(names)
    else { return nil }
    return (String(path), question)
  }
}
