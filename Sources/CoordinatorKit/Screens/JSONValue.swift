/// A value as JSON knows it: what inputs, payloads, results and the values of a form are made of.
public enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}
