/// The values that a machine offers.
struct Choices: Sendable {
  var languages: [Language]
  var keyboards: [Keyboard]
  /// Names such as `Europe/Berlin`.
  var timeZones: [String]
  /// The log-in names of the system's users, which no person can have.
  var systemLogins: Set<String>
}
