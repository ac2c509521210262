/// The machine that is set up. The daemon passes the real one to its flows, and a test passes a simulated one: no part of the
/// machine is global.
struct Machine: Sendable {
  var choices: Choices
  var language: any Setting
  var keyboard: any Setting
  var timeZone: any Setting
  var hostName: any Setting
  var networks: any Networks
  var users: any Users
}
