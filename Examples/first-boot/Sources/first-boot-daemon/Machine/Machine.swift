/// The machine that is set up. The daemon passes the real one to its flows, a test one that it has made up: nothing of
/// the machine is global.
struct Machine: Sendable {
  var choices: Choices
  var language: any Setting
  var keyboard: any Setting
  var timeZone: any Setting
  var hostName: any Setting
  var networks: any Networks
  var users: any Users
}
