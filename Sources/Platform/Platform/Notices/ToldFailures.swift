/// What was told of failures, so that the whole reason of each is told once at its place, and its repetitions in numbers, until
/// what has failed goes on. May be used from any thread.
///
/// Two reasons are those of one failure if they differ only in numbers and addresses: a person presses the button again, and
/// nothing but a time or the place of an object in memory is new.
package final class ToldFailures<Place: Hashable & Sendable>: Sendable {
  /// What to tell.
  package enum Telling: Sendable, Hashable {
    /// The whole reason.
    case first
    /// That it has failed so many times by now.
    case again(Int)
  }

  /// The most places that are remembered. With more, failures are told again.
  private let maxPlaces: Int
  /// How many different failures are told of one place. What differs each time must not fill the log either.
  private static var maxKinds: Int { 8 }

  private struct Kinds: Sendable {
    var counts: [[UInt8]: Int] = [:]
    /// How many failures there were beyond those that are told apart.
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

  /// Creates a memory of nothing.
  ///
  /// - Parameter maxPlaces: the most places that are remembered. With more, failures are told again.
  package init(maxPlaces: Int = 1_000) { self.maxPlaces = maxPlaces }

  /// Counts a failure.
  ///
  /// - Parameters:
  ///   - reason: why it has failed, in one line.
  ///   - place: what has failed.
  /// - Returns: what to tell of it: the first time, and the 10th, the 100th, and so on; nil for nothing.
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

  /// Forgets the failures of places that have gone on.
  package func forget(where hasGoneOn: (Place) -> Bool) {
    places.withLock { places in
      guard !places.isEmpty else { return }
      places = places.filter { !hasGoneOn($0.key) }
    }
  }

  /// Returns a reason without the words that differ from one time to the next: those with digits. The number of a line is
  /// no such word: `visit.py:27` is another place than `visit.py:40`.
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
