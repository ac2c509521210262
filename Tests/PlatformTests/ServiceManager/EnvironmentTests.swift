import Glibc
import Testing

@testable import Platform

@Suite("The environment", .timeLimit(.minutes(1)))
struct EnvironmentTests {
  @Test("The variables of this process have the values that each has alone")
  func variablesAreThoseOfEach() {
    let variables = Environment.variables
    #expect(variables["PATH"] != nil)
    // A value that is not UTF-8 can be looked up by its bytes only, and an entry without a name not at all.
    for (name, value) in variables where !name.isEmpty && !name.contains("\u{FFFD}") {
      #expect(value == Environment.value(of: name))
    }
  }

  @Test("The first equals sign ends a name, the first of equal names counts, and what has no equals sign is left out")
  func entriesAreSplitAtTheirFirstEqualsSign() {
    var texts: [[UInt8]] = ["A=1", "A=2", "B==c=", "none", "=x", "D=", "E=\u{301}"].map { Array($0.utf8) }
    texts.append(Array("F=".utf8) + [0xFF])
    var entries = texts.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) }
    defer { for entry in entries { free(entry) } }
    entries.append(nil)
    let variables = entries.withUnsafeMutableBufferPointer { entries in
      entries.baseAddress.map { Environment.variables(in: $0) }
    }
    #expect(variables == ["A": "1", "B": "=c=", "": "x", "D": "", "E": "\u{301}", "F": "\u{FFFD}"])
  }
}
