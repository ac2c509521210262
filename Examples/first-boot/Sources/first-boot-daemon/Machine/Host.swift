import CoordinatorKit

/// The name of a machine, and the form that asks for it.
struct Host: FormValues, Hashable {
  var name = ""

  static let form = TypedForm<Host>(
    .text(\.name, title: "Host name", format: .hostname, length: 1...63).example("kitchen").explained(
      "Use letters, digits and hyphens."))
}
