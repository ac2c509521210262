/// One answer under review: the question and the user's answer. See ``Coordinator/review()``.
public struct ReviewRow: Sendable, Hashable {
  /// The event that a renderer sends to change an answer; its payload is `{id}`. The runtime handles it.
  public static let change = "change"

  /// The value of a row whose answer is empty.
  package static let nothing = "–"

  /// The screen on which the answer can be changed; nil if it cannot.
  public var screen: ScreenID?
  /// The question.
  public var title: String
  /// The answer; several lines if it is a list.
  public var value: String

  /// The key of the screen on which the answer can be changed, in a program that does not know the numbers of its screens. The
  /// daemon replaces the key with the number, and a form's row without a value with the values of the form.
  package var key: String?

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - title: the question.
  ///   - value: the answer.
  ///   - screen: the screen on which the answer can be changed, below the one that shows the row; nil for none.
  public init(_ title: Text, _ value: Text, on screen: ScreenID? = nil) {
    self.title = title.string
    self.value = value.string
    self.screen = screen
  }

  /// Creates a row of a program that does not know the numbers of its screens.
  ///
  /// - Parameters:
  ///   - key: the key of the screen on which the answer can be changed.
  ///   - title: the question; "" for the heading of that screen.
  ///   - value: the answer; "" for the values of a form.
  package init(key: String, title: String = "", value: String = "") {
    (self.title, self.value, self.key) = (title, value, key)
  }

  /// A placeholder for the rows of ``Coordinator/review()`` in a process where only the daemon knows them.
  package static let forms = ReviewRow("", "", on: ScreenID(0))
}

/// The place of a screen in a sequence of steps, such as 3 of 6.
public struct Step: Sendable, Hashable {
  /// The number of the step, from 1.
  public var number: Int
  /// The number of steps; nil if unknown.
  public var count: Int?

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - number: the number of the step, from 1; a smaller one becomes 1.
  ///   - count: the number of steps, at least `number`; nil if unknown.
  public init(_ number: Int, of count: Int? = nil) {
    self.number = max(number, 1)
    self.count = count.map { max($0, number, 1) }
  }
}

/// How rows of a list are chosen, if not one at a time and without a suggestion.
public struct Choosing: Sendable, Hashable {
  /// The ids of the rows that are initially chosen.
  public var initial: [String]
  /// The number of rows that the user chooses; nil for exactly one, which is sent at once.
  public var count: ClosedRange<Int>?

  /// Creates a way of choosing.
  ///
  /// - Parameters:
  ///   - initial: the ids of the rows that are initially chosen.
  ///   - count: the number of rows that the user chooses, from 0; nil for exactly one.
  public init(initial: [String] = [], count: ClosedRange<Int>? = nil) {
    self.initial = initial
    self.count = count.map { max($0.lowerBound, 0)...max($0.upperBound, 0) }
  }
}

/// The program that a screen comes from. Renderers show it, so that a user can see which program asks for a password.
public struct ScreenOrigin: Sendable, Hashable {
  /// The well-known name of the program on the bus; "" for one without a name.
  public var name: String
  /// The title of the program; nil if no file defines it.
  public var title: String?

  /// Creates an origin.
  public init(name: String, title: String? = nil) {
    self.name = name
    self.title = title
  }
}
