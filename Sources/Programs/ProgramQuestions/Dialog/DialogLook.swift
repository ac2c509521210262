import CoordinatorKit
import Platform

/// Recognizes steps and drawings in the text of a box.
enum DialogLook {
  /// Returns the place in a sequence from words such as "[Step 3/31]"; nil without such words.
  static func step(in text: ProgramText) -> Step? {
    let words = DialogText.line(text).bytes.lowercased.unicodeScalars.split { !($0.isWordPart || $0 == "/") }.map { String($0) }
    guard let index = words.firstIndex(of: "step"), index + 1 < words.count else { return nil }
    let rest = words[(index + 1)...].prefix(3)
    let numbers = rest.joined(separator: " ").bytes.replacing("/", with: " ").bytes.words.filter { $0 != "of" }.prefix(2).map {
      Int($0)
    }
    guard let number = numbers.first ?? nil, number > 0, number < 10_000 else { return nil }
    let isPair = rest.first?.bytes.contains("/") == true || rest.dropFirst().first == "of"
    guard isPair, numbers.count == 2, let count = numbers[1], count >= number, count < 10_000 else {
      return Step(number)
    }
    return Step(number, of: count)
  }

  /// Whether the columns of a text matter, because it contains box-drawing characters or is aligned with blanks.
  static func isDrawn(_ text: String) -> Bool {
    var blanks = 0
    var hasWords = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": (blanks, hasWords) = (0, false)
      case " ": blanks += 1
      case "\u{2500}"..."\u{259F}": return true
      default:
        if hasWords, blanks >= 3 { return true }
        (blanks, hasWords) = (0, true)
      }
    }
    return false
  }
}
