/// The importance of a question in debconf; the raw values are debconf's words.
package enum DebconfPriority: String, Sendable, Hashable {
  case low, medium, high, critical
}
