import Platform

/// A place in a shell script where `eval` executes the output of `ask`, although the script has not asked for assignments.
///
/// `ask form` prints one value as it is, so `eval "$(ask form …)"` would execute any text that a user types. Older scripts may
/// do so: for several fields, `ask form` used to print assignments without being asked for them. The reader finds what scripts
/// usually write, also `answer=$(ask form …)` and `eval "$answer"`; it is not a complete shell parser.
package struct EvaluatedAnswer: Sendable, Hashable {
  /// The line of the `eval`, from 1 on.
  package let line: Int

  /// Finds the first such place.
  ///
  /// - Parameter source: the script.
  /// - Returns: the place; nil if there is none.
  package static func find(in source: [UInt8]) -> EvaluatedAnswer? {
    var reader = Reader(source)
    return reader.find().map { EvaluatedAnswer(line: source[..<$0].count { $0 == UInt8(ascii: "\n") } + 1) }
  }
}

/// Reads a script piece by piece.
private struct Reader {
  /// The commands that print text that a user has typed. The output of the others comes from the author.
  private static let commands = ["form", "input", "run"]
  /// The words after which another command begins.
  private static let openers: Set<String> = [
    "then", "do", "else", "elif", "if", "while", "until", "!", "{", "builtin", "command", "exec", "time",
  ]
  /// The maximum depth of nesting; deeper parts are not read.
  private static let maxDepth = 64

  /// The maximum number of here-documents without an end, such as shifts in arithmetic that was not recognized. The reader
  /// searches the whole rest of the script for each end.
  private static let maxEndless = 8

  /// The context of a part of a script.
  private enum Context {
    /// Commands, also in parentheses.
    case code
    /// Commands between grave accents.
    case accents
    /// The patterns and commands of a `case`, whose parentheses need not be balanced.
    case cases
    /// A double quotation.
    case quotation
    /// `${…}`.
    case braces
    /// `$((…))`.
    case arithmetic
    /// Parentheses in arithmetic.
    case term

    var isCode: Bool { self == .code || self == .accents || self == .cases }
  }

  /// A piece of a script.
  private enum Piece {
    /// A word that may be a command, or name a variable.
    case word(String)
    /// The name of an option, outside of quotations.
    case option(String)
    /// `$NAME` or `${NAME`.
    case variable(String)
    /// The beginning of a command substitution.
    case substitution
    case other
  }

  /// The output of commands.
  private struct Output {
    /// Whether it contains text that a user can type.
    var isTyped = false
    /// Whether an option requests its form.
    var isAsked = false
    /// Whether it contains a row of a list.
    var isRow = false

    var isUnasked: Bool { isTyped && !isAsked }
  }

  private let source: [UInt8]
  private var position = 0
  private var contexts: [Context] = [.code]
  /// The variables that contain output whose form was not requested.
  private var unasked: Set<String> = []
  /// The word that ends the here-document which begins in the next line; nil if there is none.
  private var documentEnd: [UInt8]?
  private var endless = 0
  private var found: Int?

  init(_ source: [UInt8]) { self.source = source }

  private var byte: UInt8? { position < source.count ? source[position] : nil }
  private var previous: UInt8? { position > 0 ? source[position - 1] : nil }
  private var context: Context { contexts.last ?? .code }

  private func isAt(_ sign: Unicode.Scalar) -> Bool { byte == UInt8(ascii: sign) }

  /// Finds the first `eval` of output whose form was not requested.
  mutating func find() -> Int? {
    // Other languages have their own `eval`.
    let first = source.prefix { $0 != UInt8(ascii: "\n") }
    if first.starts(with: "#!".utf8), !String(decoding: first, as: UTF8.self).bytes.contains("sh") { return nil }
    _ = read()
    return found
  }

  /// Reads to the end of the substitution that has begun, or of the script.
  private mutating func read() -> Output {
    let depth = contexts.count
    var output = Output()
    while found == nil, contexts.count >= depth, byte != nil {
      let start = position
      switch next() {
      case .word(let word): take(word, from: start, &output)
      case .option("--assignments"), .option("--json"): output.isAsked = true
      case .option("--items") where output.isRow: output.isTyped = true
      case .option, .variable, .other: break
      case .substitution: _ = read()
      }
    }
    return output
  }

  private mutating func take(_ word: String, from start: Int, _ output: inout Output) {
    switch word {
    // Also after a path, `command`, or a variable for this one command.
    case "ask" where skipsBlanks():
      let command = name()
      output.isTyped = output.isTyped || Self.commands.contains(command)
      output.isRow = output.isRow || command == "list"
    case "eval" where isCommand(at: start) && skipsBlanks():
      if evaluatesUnasked(), found == nil { found = start }
    case "for" where skipsBlanks(): unasked.remove(name())
    case "read" where isCommand(at: start):
      while skipsBlanks(), let byte, byte.isOfName || isAt("-") {
        while isAt("-") || isAt("r") && previous == UInt8(ascii: "-") { position += 1 }
        unasked.remove(name())
      }
    case "case" where isCommand(at: start): _ = enter(.cases)
    case "esac" where context == .cases: contexts.removeLast()
    default: takeAssignment(to: word)
    }
  }

  private mutating func takeAssignment(to variable: String) {
    let isMore = skip("+=")
    guard isMore || skip("=") else { return }
    if isAt("\"") { _ = next() }
    var isUnasked = false
    if isAt("$") || isAt("`") {
      switch next() {
      case .variable(let other): isUnasked = unasked.contains(other)
      case .substitution: isUnasked = read().isUnasked
      default: break
      }
    }
    // Otherwise the assignment has replaced the old value of the variable.
    if isUnasked { unasked.insert(variable) } else if !isMore { unasked.remove(variable) }
  }

  /// Whether the word at a place is a command rather than an argument.
  private func isCommand(at start: Int) -> Bool {
    let line = source[..<start]
    guard let last = line.lastIndex(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return true }
    if "\n;&|(){`".utf8.contains(line[last]) { return true }
    guard last < start - 1 else { return false }
    // A form feed is part of a word, for a shell.
    let first = line[...last].lastIndex { " \t\n;&|()`".utf8.contains($0) }.map { $0 + 1 } ?? 0
    let word = line[first...last]
    return word.contains(UInt8(ascii: "=")) || Self.openers.contains(String(decoding: word, as: UTF8.self))
  }

  /// Reads the arguments of an `eval`: to the end of the command, outside of quotations.
  private mutating func evaluatesUnasked() -> Bool {
    let depth = contexts.count
    while let byte, contexts.count > depth || contexts.count == depth && !"\n;&|".utf8.contains(byte) {
      switch next() {
      case .variable(let name): if unasked.contains(name), !isQuoting { return true }
      case .substitution: if read().isUnasked { return true }
      case .word, .option, .other: break
      }
      if found != nil { return false }
    }
    return false
  }

  /// Whether an operator quotes the value of the variable before it.
  private var isQuoting: Bool { source[position...].starts(with: "@Q}".utf8) }

  /// Returns the next piece.
  private mutating func next() -> Piece {
    guard let byte else { return .other }
    let isCode = context.isCode
    switch byte {
    case _ where isCode && byte.isOfName && previous?.isOfName != true: return .word(name())
    case UInt8(ascii: "\\"): position = min(position + 2, source.count)
    case UInt8(ascii: "\""):
      position += 1
      if context == .quotation { contexts.removeLast() } else if context != .arithmetic { _ = enter(.quotation) }
    case UInt8(ascii: "'") where isCode || !contexts.contains(.quotation) && context == .braces:
      skipApostrophes(isEscaping: previous == UInt8(ascii: "$"))
    case UInt8(ascii: "$"): return takeDollar()
    case UInt8(ascii: "`"):
      let isEnd = contexts.contains(.accents)
      position += 1
      guard isEnd else { return enter(.accents) ? .substitution : .other }
      while contexts.popLast() != .accents {}
    case UInt8(ascii: "("):
      position += 1
      if isCode { _ = enter(.code) } else if context == .arithmetic || context == .term { _ = enter(.term) }
    case UInt8(ascii: ")"):
      let isEnd = context == .arithmetic && source[position...].starts(with: "))".utf8)
      if isEnd || context == .term || context == .code && contexts.count > 1 { contexts.removeLast() }
      position += isEnd ? 2 : 1
    case UInt8(ascii: "}"):
      if context == .braces { contexts.removeLast() }
      position += 1
    case UInt8(ascii: "#") where isCode && (previous.map { $0.isASCIISpace || ";&|()".utf8.contains($0) } ?? true): skipLine()
    case UInt8(ascii: "<") where isCode: beginDocument()
    case UInt8(ascii: "\n"):
      position += 1
      skipDocument()
    case UInt8(ascii: "-") where isCode && previous?.isASCIISpace == true:
      let start = position
      position = source[position...].firstIndex { !$0.isOfName && $0 != UInt8(ascii: "-") } ?? source.count
      return .option(String(decoding: source[start..<position], as: UTF8.self))
    default: position += 1
    }
    return .other
  }

  private mutating func takeDollar() -> Piece {
    position += 1
    if skip("((") {
      _ = enter(.arithmetic)
      return .other
    }
    if skip("(") { return enter(.code) ? .substitution : .other }
    if skip("{") { _ = enter(.braces) }
    let name = name()
    return name.isEmpty ? .other : .variable(name)
  }

  /// Enters a context. Where a script is nested too deeply, it is not read any further.
  private mutating func enter(_ context: Context) -> Bool {
    guard contexts.count < Self.maxDepth else {
      position = source.count
      return false
    }
    contexts.append(context)
    return true
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard source[position...].starts(with: bytes) else { return false }
    position += bytes.count
    return true
  }

  /// Skips blanks, also the ends of lines that a backslash continues; returns whether there are any.
  private mutating func skipsBlanks() -> Bool {
    let start = position
    while skip(" ") || skip("\t") || skip("\\\n") {}
    return position > start
  }

  private mutating func skipLine() { position = source[position...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count }

  /// Skips the text between apostrophes. An apostrophe without another is skipped alone.
  private mutating func skipApostrophes(isEscaping: Bool) {
    position += 1
    var end = position
    while end < source.count {
      if source[end] == UInt8(ascii: "'") {
        position = end + 1
        return
      }
      end += isEscaping && source[end] == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  private mutating func name() -> String {
    let start = position
    while let byte, byte.isOfName { position += 1 }
    return String(decoding: source[start..<position], as: UTF8.self)
  }

  /// Records the word that ends a here-document.
  private mutating func beginDocument() {
    guard skip("<<"), !isAt("<") else {
      while isAt("<") { position += 1 }
      return
    }
    _ = skip("-")
    _ = skipsBlanks()
    let end = source[position...].prefix { !$0.isASCIISpace && !";&|)".utf8.contains($0) }
    position += end.count
    let word = end.filter { !"'\"\\".utf8.contains($0) }
    if !word.isEmpty { documentEnd = Array(word) }
  }

  /// Skips the here-document of the previous line, if there is one. Without an end, it is not a here-document.
  private mutating func skipDocument() {
    guard let end = documentEnd, endless < Self.maxEndless else { return }
    documentEnd = nil
    let first = position
    while position < source.count {
      let start = position
      skipLine()
      if source[start..<position].drop(while: { $0 == UInt8(ascii: "\t") }).elementsEqual(end) { return }
      position = min(position + 1, source.count)
    }
    position = first
    endless += 1
  }
}

extension UInt8 {
  /// Whether the byte may be part of a word of a shell that names something.
  fileprivate var isOfName: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }
}
