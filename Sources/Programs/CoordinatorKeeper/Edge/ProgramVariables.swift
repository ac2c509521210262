import Glibc
import Platform
import ProgramQuestions

/// The environment of a program. What nobody changes stays as it is, byte by byte.
struct ProgramVariables {
  private let given: [String: ProgramText]
  /// The variables as strings, in which U+FFFD replaces what is not UTF-8.
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

  /// The variables as a program gets them.
  var entries: [ProgramText] {
    strings.map { name, value in
      let unchanged = given[name].flatMap { $0.string.bytes.equals(value) ? $0 : nil }
      return ProgramText("\(name)=".utf8 + (unchanged?.bytes ?? Array(value.utf8)))
    }
  }
}
