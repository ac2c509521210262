import DBus

/// A setting that a service on the system bus keeps: a property of it, and a method that changes it.
struct BusSetting: Setting {
  let bus: SystemBus
  let service: String
  let path: ObjectPath
  let property: String
  var read: @Sendable (Value) -> String? = \.string
  let method: String
  /// The arguments of the method. The last one of each disables the question for a password.
  let arguments: @Sendable (String) -> [Value]

  func value() async throws -> String {
    read(try await bus.proxy(service, path).property(property)) ?? ""
  }

  func set(_ value: String) async throws {
    _ = try await bus.proxy(service, path).call(method, arguments(value))
  }
}

extension BusSetting {
  static func language(_ bus: SystemBus) -> Self {
    BusSetting(
      bus: bus, service: "org.freedesktop.locale1", path: "/org/freedesktop/locale1", property: "Locale",
      read: { $0.elements?.compactMap(\.string).first { $0.hasPrefix("LANG=") }.map { String($0.dropFirst(5)) } },
      method: "SetLocale"
    ) { [.strings(["LANG=" + $0]), .boolean(false)] }
  }

  /// The layout of X, which the service turns into a keymap of the console, too.
  static func keyboard(_ bus: SystemBus) -> Self {
    BusSetting(
      bus: bus, service: "org.freedesktop.locale1", path: "/org/freedesktop/locale1", property: "X11Layout",
      method: "SetX11Keyboard"
    ) { [.string($0), .string(""), .string(""), .string(""), .boolean(true), .boolean(false)] }
  }

  static func timeZone(_ bus: SystemBus) -> Self {
    BusSetting(
      bus: bus, service: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1", property: "Timezone",
      method: "SetTimezone"
    ) { [.string($0), .boolean(false)] }
  }

  static func hostName(_ bus: SystemBus) -> Self {
    BusSetting(
      bus: bus, service: "org.freedesktop.hostname1", path: "/org/freedesktop/hostname1", property: "StaticHostname",
      method: "SetStaticHostname"
    ) { [.string($0), .boolean(false)] }
  }
}
