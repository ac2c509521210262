/// One row of a list. The event ``Event/select`` with the payload `{id}` chooses it.
public struct Item: Sendable, Hashable {
  /// The id in the payload of `select`; unique in its list, and stable.
  public var id: String
  /// The title that the user reads.
  public var title: String
  /// A second, less prominent line.
  public var subtitle: String?
  /// The optional properties; nil if all are absent. In a separate allocation, because lists may be long.
  private var extras: Extras?

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: the id in the payload of `select`; unique in its list, and stable.
  ///   - title: the title that the user reads.
  ///   - subtitle: a second, less prominent line.
  ///   - group: the heading of the group that the row belongs to.
  ///   - disabled: why the row cannot be chosen now, for users.
  public init(_ id: String, _ title: Text, subtitle: Text? = nil, group: Text? = nil, disabled: Text? = nil) {
    self.id = id
    self.title = title.string
    self.subtitle = subtitle?.string
    extras = Extras(group: group?.string, disabled: disabled?.string)
  }

  /// Creates a row whose texts are the same in all languages, such as names that come from elsewhere.
  ///
  /// - Parameters:
  ///   - id: the id in the payload of `select`; unique in its list, and stable.
  ///   - title: the title that the user reads.
  ///   - subtitle: a second, less prominent line.
  ///   - group: the heading of the group that the row belongs to.
  ///   - disabled: why the row cannot be chosen now, for users.
  public init(
    _ id: String, verbatim title: String, subtitle: String? = nil, group: String? = nil, disabled: String? = nil
  ) {
    self.id = id
    self.title = title
    self.subtitle = subtitle
    extras = Extras(group: group, disabled: disabled)
  }
}

extension Item {
  /// The parts of a row that only some have.
  private final class Extras: Sendable, Hashable {
    let group: String?
    let disabled: String?

    init?(group: String?, disabled: String?) {
      if group == nil, disabled == nil { return nil }
      (self.group, self.disabled) = (group, disabled)
    }

    static func == (one: Extras, other: Extras) -> Bool {
      one === other || (one.group, one.disabled) == (other.group, other.disabled)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(group)
      hasher.combine(disabled)
    }
  }

  /// The heading of the group that the row belongs to; nil for none. Rows of one group follow each other.
  public var group: String? {
    get { extras?.group }
    set { extras = Extras(group: newValue, disabled: disabled) }
  }

  /// Why the row cannot be chosen now; nil if it can.
  public var disabled: String? {
    get { extras?.disabled }
    set { extras = Extras(group: group, disabled: newValue) }
  }
}
