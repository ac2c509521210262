extension Machine {
  /// This system, by systemd's services and NetworkManager.
  static func ofSystem() -> Machine {
    let bus = SystemBus()
    return Machine(
      choices: .ofSystem(), language: BusSetting.language(bus), keyboard: BusSetting.keyboard(bus),
      timeZone: BusSetting.timeZone(bus), hostName: BusSetting.hostName(bus), networks: NetworkManager(bus: bus),
      users: SystemUsers())
  }
}
