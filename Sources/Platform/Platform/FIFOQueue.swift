/// A queue: elements are appended at its end and taken from its beginning, both in constant time on average.
package struct FIFOQueue<Element> {
  /// The elements, after ``taken`` places that are nil.
  private var places: [Element?] = []
  /// The number of places whose elements have been taken.
  private var taken = 0

  /// Creates an empty queue.
  package init() {}

  /// The number of elements.
  package var count: Int { places.count - taken }

  /// Whether the queue is empty.
  package var isEmpty: Bool { places.count == taken }

  /// The element that was appended earliest; nil if the queue is empty.
  package var first: Element? { isEmpty ? nil : places[taken] }

  /// Appends an element.
  package mutating func append(_ element: Element) { places.append(element) }

  /// Appends elements in order.
  package mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { places.append(element) }
  }

  /// Inserts an element before the first one that meets a condition, or appends it if none does. Takes time in proportion to
  /// the number of elements.
  package mutating func insert(_ element: Element, before isLater: (Element) -> Bool) {
    places.insert(element, at: places.firstIndex { $0.map(isLater) ?? false } ?? places.endIndex)
  }

  /// Removes and returns the first element; nil if the queue is empty.
  @discardableResult
  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = places[taken].take()
    taken += 1
    if taken == places.count {
      places.removeAll(keepingCapacity: taken <= 64)
      taken = 0
    } else if taken >= 64, taken > places.count / 2 {
      places.removeFirst(taken)
      taken = 0
    }
    return element
  }

  /// Removes all elements that meet a condition. Takes time in proportion to the number of elements.
  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    places.removeAll { $0.map(isRemoved) ?? true }
    taken = 0
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
