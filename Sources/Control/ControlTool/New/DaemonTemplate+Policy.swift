extension DaemonTemplate {
  /// Who may do what with the daemon on the system bus, where a bus name needs that: without it, nobody can own the name.
  static func policy(of busName: String) -> String {
    """
    <?xml version="1.0"?>
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <!--
      For a daemon on the system bus, which is started with the option system: root serves; the members of the group coordinatord may
      call and listen, nobody else may do either. Name the user of your unit in place of root if it is another. On a user's bus,
      nothing of this is needed.
    -->
    <busconfig>
      <policy context="default">
        <deny own="\(busName)"/>
        <deny send_destination="\(busName)"/>
        <deny receive_sender="\(busName)"/>
      </policy>

      <policy group="coordinatord">
        <allow send_destination="\(busName)"/>
        <allow receive_sender="\(busName)"/>
      </policy>

      <policy user="root">
        <allow own="\(busName)"/>
        <allow send_destination="\(busName)"/>
        <allow receive_sender="\(busName)"/>
      </policy>
    </busconfig>

    """
  }
}
