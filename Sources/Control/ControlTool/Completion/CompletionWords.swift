import DBus
import Platform
import RendererKit

/// The command line to complete. A value without I/O.
public struct CompletionWords: Sendable, Hashable {
  /// The options whose next word is their value.
  private static let options: Set<String> = [
    "--address", "--answers", "--event", "--flow", "--grep", "--in", "--lifetime", "--lines", "--missing",
    "--output", "--parent", "--request", "--screen", "--seen", "--since", "--state-dir", "--style", "--timeout", "--title",
    "--token", "--tree", "--wait", "-n", "-o",
  ]

  /// The bus that the command line names, or the session bus.
  public private(set) var bus = BusAddress.session
  /// The daemon that the command line names, as it is written; nil if it names none.
  public private(set) var daemon: String?
  /// The names and assignments between the command and the word to complete.
  public private(set) var arguments: [String] = []
  /// The typed part of the word to complete.
  public private(set) var current: String
  /// The part of the word that the shell has cut off, because it treats `=` as the end of a word.
  public private(set) var cut = ""

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - words: words of the line, with the program as the first one.
  ///   - index: index of the word to complete.
  ///   - isSplit: whether the shell splits words at `=`, `:` and `@`, as bash does.
  public init(_ words: [String], at index: Int, isSplit: Bool) {
    let words = words.map(Self.unquoted)
    let before = Array(words.prefix(max(index, 0)))
    current = words.indices.contains(index) ? words[index] : ""
    var whole = Array(before.dropFirst())
    if isSplit {
      (whole, cut, current) = Self.joined(whole, current)
    }
    var isCommandNext = true
    var rest = whole[...]
    while let word = rest.popFirst() {
      switch word {
      case "--system": bus = .system
      case "--address": bus = rest.popFirst().map { .address($0) } ?? bus
      case "--name": daemon = rest.popFirst() ?? daemon
      case _ where Self.options.contains(word): _ = rest.popFirst()
      case _ where word.bytes.hasPrefix("-") && word.utf8.count > 1:
        if let name = word.bytes.dropping(prefix: "--name=") { daemon = String(name) }
        if let address = word.bytes.dropping(prefix: "--address=") { bus = .address(String(address)) }
      case _ where isCommandNext: isCommandNext = false
      default: arguments.append(word)
      }
    }
  }

  /// Returns the candidates that begin with the word, without the part that the shell has cut off.
  public func fitting(_ candidates: [String]) -> [String] {
    var seen: Set<String> = []
    return candidates.filter { $0.bytes.hasPrefix(cut + current) && seen.insert($0).inserted }
      .compactMap { $0.bytes.dropping(prefix: cut).map(String.init) }
  }

  /// Returns a word without the quotes and backslashes that shells pass on. fish writes an empty word as two quotes.
  private static func unquoted(_ word: String) -> String {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in word.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if isEscaped || !"'\"".utf8.contains(byte) {
        result.append(byte)
        isEscaped = false
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Joins words that the shell has split.
  private static func joined(_ words: [String], _ current: String) -> (words: [String], cut: String, current: String) {
    var result: [String] = []
    var isOpen = false
    for word in words + [current] {
      let isBreak = !word.isEmpty && word.utf8.allSatisfy({ "=:@".utf8.contains($0) })
      if (isBreak || isOpen) && !result.isEmpty, result.last?.bytes.hasPrefix("-") != true || isBreak {
        result[result.count - 1] += word
      } else {
        result.append(word)
      }
      isOpen = isBreak
    }
    let whole = result.popLast() ?? ""
    // bash completes a word break itself as if nothing were typed.
    let typed = !current.isEmpty && current.utf8.allSatisfy({ "=:@".utf8.contains($0) }) ? "" : current
    return (result, whole.bytes.dropping(suffix: typed).map(String.init) ?? whole, typed)
  }
}
