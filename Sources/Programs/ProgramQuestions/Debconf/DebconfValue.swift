/// The value that debconf reads for one question.
struct DebconfValue: Sendable, Hashable {
  /// The tag of the question.
  let tag: String
  /// The bytes after the code. A password is in memory only until debconf has read it.
  var bytes: [UInt8] { hidden.bytes }
  private let hidden: HiddenBytes

  /// Creates a value that fits on one line. debconf cannot read line breaks, and drops leading blanks (trap T9).
  init(_ bytes: some Sequence<UInt8>, of question: DebconfQuestion) {
    tag = question.tag
    let line = bytes.map { $0 == 0x0A || $0 == 0x0D || $0 == 0 ? 0x20 : $0 }
    hidden = HiddenBytes(bytes: Array(line.drop { $0 == 0x20 || $0 == 0x09 }))
  }
}
