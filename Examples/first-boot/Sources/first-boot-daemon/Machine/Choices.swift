/// What can be chosen on a machine.
struct Choices: Sendable {
  var languages: [Language]
  var keyboards: [Keyboard]
  /// Names such as `Europe/Berlin`.
  var timeZones: [String]
  /// The log-in names of the system's own users, which nobody else can have.
  var systemLogins: Set<String>
}
