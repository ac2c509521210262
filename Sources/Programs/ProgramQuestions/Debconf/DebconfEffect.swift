/// An instruction from ``DebconfConnection`` to the keeper of a program.
package enum DebconfEffect: Sendable, Hashable {
  /// Write these bytes to the connection now. They may contain a password: never log them.
  case reply([UInt8])
  /// Ask this block. The program waits for the answer without a timeout.
  case ask(DebconfBlock)
  /// A package has set the title of the following questions; the section is the name of the package, or empty.
  case section(String, title: String)
  /// Show this progress; nil if it has ended.
  case progress(DebconfProgress?)
  /// The program has ended while this block was open: the block can no longer be answered.
  case withdraw(block: Int)
}
