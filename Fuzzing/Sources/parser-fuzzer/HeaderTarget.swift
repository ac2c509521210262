@testable import ScriptEngine

@testable import CoordinatorScripts

/// A script: its header, or what is wrong with it; and what it evaluates.
enum HeaderTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard bytes.count < 1 << 16 else { return -1 }
    if let line = EvaluatedAnswer.find(in: Array(bytes))?.line {
      precondition((1...bytes.count { $0 == UInt8(ascii: "\n") } + 1).contains(line), "a line that is none")
    }
    do throws(ScriptHeader.Mistake) {
      guard let header = try ScriptHeader(String(decoding: bytes, as: UTF8.self)) else { return 0 }
      for member in header.members.values {
        precondition(!member.value.utf8.contains(UInt8(ascii: "\n")), "a value is too long")
      }
    } catch {
      precondition(error.line > 0 && !error.description.isEmpty, "a mistake without a place or a reason")
    }
    return 0
  }
}
