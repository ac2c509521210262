/// A type whose cases are the choices of a menu or of a field. The raw value is the event, or the value in the payload.
///
/// ```swift
/// enum Size: String, Codable, CaseIterable, MenuChoice {
///   case small, large
///   var title: Text { self == .small ? "Small" : "Large" }
/// }
/// ```
public protocol MenuChoice: RawRepresentable<String>, FormProperty {
  /// The title that the user reads.
  var title: Text { get }
}
