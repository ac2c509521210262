/// What the keeper of a program does after it has told a ``DebconfConnection`` something.
package enum DebconfEffect: Sendable, Hashable {
  /// Write these bytes to the connection now. They may contain a password: never log them.
  case reply([UInt8])
  /// Ask this block. The program waits for as long as it takes.
  case ask(DebconfBlock)
  /// A package has set the title of what follows; the section is the name of the package, or empty.
  case section(String, title: String)
  /// Show this progress; nil if it has ended.
  case progress(DebconfProgress?)
  /// The program has gone while this block was open: it cannot be answered any more.
  case withdraw(block: Int)
}
