import Glibc
import Platform
import ProgramQuestions

/// The environment of a program. Variables that are not changed keep their bytes, which need not be UTF-8.
struct ProgramVariables {
  private let given: [String: ProgramText]
  /// The variables as strings, in which U+FFFD replaces bytes that are not UTF-8.
  var strings: [String: String]

  /// The environment of this process.
  static var own: ProgramVariables {
    var given: [String: ProgramText] = [:]
    var entry = environ
    while let text = entry.pointee {
      let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: bytes[..<equals], as: UTF8.self)
        given[name] = given[name] ?? ProgramText(bytes[(equals + 1)...])
      }
      entry += 1
    }
    return ProgramVariables(given)
  }

  init(_ given: [String: ProgramText]) { (self.given, strings) = (given, given.mapValues(\.string)) }

  subscript(name: String) -> String? { strings[name] }

  /// The variables in the form that a program receives.
  var entries: [ProgramText] {
    strings.map { name, value in
      let unchanged = given[name].flatMap { $0.string.bytes.equals(value) ? $0 : nil }
      return ProgramText("\(name)=".utf8 + (unchanged?.bytes ?? Array(value.utf8)))
    }
  }
}
