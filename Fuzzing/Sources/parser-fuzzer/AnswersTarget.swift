import CoordinatorAnswers

/// An answers file: what is read and written again is read as the same.
enum AnswersTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard bytes.count < 1 << 16 else { return -1 }
    guard let file = try? AnswersFile(yaml: String(decoding: bytes, as: UTF8.self)) else { return 0 }
    let text = file.yaml()
    guard let again = try? AnswersFile(yaml: text) else { preconditionFailure("is not read again:\n\(text)") }
    precondition(again.yaml() == text, "is another file after it was written and read:\n\(text)\n\(again.yaml())")
    return 0
  }
}
