import Platform
import ScriptEngine

/// A line of a script that is not JSON, or that has two names which are the same to some readers and not to others.
struct UnreadableMessage: Sendable, Hashable {
  /// The number of the run that the line is about; nil if it does not say.
  let run: UInt64?
  /// The mistake, for the author.
  let crash: ScriptCrash

  /// Looks at a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - error: why it could not be read.
  init(_ line: [UInt8], _ error: any Error) {
    run = Self.run(in: line)
    crash = ScriptCrash("a message of the script cannot be read: \(error)")
  }

  /// Finds the member `run` of the outermost object.
  private static func run(in line: [UInt8]) -> UInt64? {
    var depth = 0
    var index = 0
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < line.count, line[index] != UInt8(ascii: "\"") { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 }
        guard depth == 1, index < line.count, line[start..<index].elementsEqual("run".utf8) else { break }
        let rest = line[(index + 1)...].drop { $0.isASCIISpace }
        guard rest.first == UInt8(ascii: ":") else { break }
        let digits = rest.dropFirst().drop { $0.isASCIISpace }.prefix { $0.isASCIIDigit }
        return UInt64(String(decoding: digits, as: UTF8.self))
      default: break
      }
      index += 1
    }
    return nil
  }
}
