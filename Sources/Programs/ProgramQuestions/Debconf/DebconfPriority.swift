/// How important a question is to debconf; the raw values are its words.
package enum DebconfPriority: String, Sendable, Hashable {
  case low, medium, high, critical
}
