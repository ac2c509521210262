/// Limits how often a repeated failure is reported: the full reason once for each place, then only the number of repetitions,
/// until the failed operation succeeds. May be used from any thread.
///
/// Two reasons describe the same failure if they differ only in numbers and addresses: when a user presses a button again, only
/// a time or a memory address in the reason is new.
package final class ToldFailures<Place: Hashable & Sendable>: Sendable {
  /// What to report.
  package enum Telling: Sendable, Hashable {
    /// The full reason.
    case first
    /// The number of times that the failure has occurred so far.
    case again(Int)
  }

  /// The maximum number of places to remember. When it is exceeded, all of them are forgotten.
  private let maxPlaces: Int
  /// The maximum number of different failures to distinguish at one place. Reasons that differ each time must not fill the log
  /// either.
  private static var maxKinds: Int { 8 }

  private struct Kinds: Sendable {
    var counts: [[UInt8]: Int] = [:]
    /// The number of failures beyond those that are distinguished.
    var others = 0

    mutating func count(_ kind: [UInt8]) -> Int {
      guard counts[kind] != nil || counts.count < ToldFailures.maxKinds else {
        others += 1
        return others
      }
      counts[kind, default: 0] += 1
      return counts[kind, default: 1]
    }
  }

  private let places = Lock<[Place: Kinds]>([:])

  /// Creates an empty record.
  ///
  /// - Parameter maxPlaces: the maximum number of places to remember. When it is exceeded, all of them are forgotten.
  package init(maxPlaces: Int = 1_000) { self.maxPlaces = maxPlaces }

  /// Counts a failure.
  ///
  /// - Parameters:
  ///   - reason: the reason of the failure, in one line.
  ///   - place: the operation that failed.
  /// - Returns: what to report for the first, 10th, 100th time, and so on; otherwise nil.
  package func add(_ reason: String, of place: Place) -> Telling? {
    let count = places.withLock { places in
      if places.count >= maxPlaces, places[place] == nil { places = [:] }
      return places[place, default: Kinds()].count(Self.kind(of: reason))
    }
    if count == 1 { return .first }
    var power = 10
    while power < count { power *= 10 }
    return power == count ? .again(count) : nil
  }

  /// Forgets the failures of places whose operations succeed again.
  package func forget(where hasGoneOn: (Place) -> Bool) {
    places.withLock { places in
      guard !places.isEmpty else { return }
      places = places.filter { !hasGoneOn($0.key) }
    }
  }

  /// Returns a reason without the words that differ between repetitions, which are those that contain digits. Line numbers are
  /// kept: `visit.py:27` and `visit.py:40` are different places.
  static func kind(of reason: String) -> [UInt8] {
    var (result, word): ([UInt8], [UInt8]) = ([], [])
    func end() {
      let isLine = result.last == UInt8(ascii: ":") && result.dropLast().last?.isLetter == true && word.allSatisfy(\.isDigit)
      result += word.contains(where: \.isDigit) && !isLine ? [UInt8(ascii: "#")] : word
      word = []
    }
    for byte in reason.utf8 {
      if byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") {
        word.append(byte)
      } else {
        end()
        result.append(byte)
      }
    }
    end()
    return result
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
