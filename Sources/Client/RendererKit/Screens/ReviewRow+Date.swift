import CoordinatorKit

extension ReviewRow {
  /// The value under review if it is a date and nothing else. Flows provide it as text, so it is recognized by its form.
  public var date: LocalizedDate? { LocalizedDate(value) }
}
