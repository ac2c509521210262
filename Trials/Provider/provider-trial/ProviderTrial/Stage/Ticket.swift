/// Identifies a piece of work.
struct Ticket: Sendable, Hashable {
  let instance: String
  let work: String
}
