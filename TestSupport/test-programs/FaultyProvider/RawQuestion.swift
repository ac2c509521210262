import DBus

/// The arguments of `Decide`.
struct RawQuestion: Sendable {
  let instance: String
  let turn: UInt64
  var state: String
  let event: [String: Value]
  let context: [String: Value]

  init(_ arguments: [Value]) {
    instance = arguments[1].string ?? ""
    turn = arguments[2].uint64 ?? 0
    state = arguments[3].string ?? ""
    event = arguments[4].vardict ?? [:]
    context = arguments[5].vardict ?? [:]
  }

  var kind: String { event["kind"]?.string ?? "" }
  var name: String { event["name"]?.string ?? "" }
  var key: String { event["key"]?.string ?? "" }
  var secrets: [String] { event["secrets"]?.elements?.compactMap(\.string) ?? [] }
  var kept: [String] { context["secrets"]?.elements?.compactMap(\.string) ?? [] }
  var work: [String] { context["work"]?.elements?.compactMap(\.string) ?? [] }
  var screens: [String] { context["screens"]?.elements?.compactMap(\.string) ?? [] }
  var now: UInt64 { context["now"]?.uint64 ?? 0 }
}
