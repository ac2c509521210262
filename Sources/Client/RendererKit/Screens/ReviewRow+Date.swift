import CoordinatorKit

extension ReviewRow {
  /// What is under review, if it is nothing but a date. Flows give it as text, so its form has to tell.
  public var date: LocalizedDate? { LocalizedDate(value) }
}
