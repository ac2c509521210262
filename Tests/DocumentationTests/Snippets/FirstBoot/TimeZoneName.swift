import CoordinatorKit

/// The name of a time zone, such as `Europe/Berlin`.
struct TimeZoneName: Hashable {
  var name: String

  /// A row in the group of its continent.
  var item: Item {
    let parts = name.split(separator: "/", maxSplits: 1)
    return Item(name, verbatim: String(parts.last ?? ""), group: parts.count > 1 ? String(parts[0]) : nil)
  }
}
