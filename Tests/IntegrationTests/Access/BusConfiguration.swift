/// Configurations for `PrivateBus` that let every user connect.
enum BusConfiguration {
  /// A configuration like that of the system bus in Debian's /usr/share/dbus-1/system.conf, with one policy file.
  static func system(including policy: String) -> String {
    configuration(
      type: "system",
      """
      <policy context="default">
        <allow user="*"/>
        <deny own="*"/>
        <deny send_type="method_call"/>
        <allow send_type="signal"/>
        <allow send_requested_reply="true" send_type="method_return"/>
        <allow send_requested_reply="true" send_type="error"/>
        <allow receive_type="method_call"/>
        <allow receive_type="method_return"/>
        <allow receive_type="error"/>
        <allow receive_type="signal"/>
        <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
        <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
        <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
      </policy>
      <policy user="root">
        <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Monitoring"/>
      </policy>
      <include>\(policy)</include>
      """)
  }

  /// A configuration like that of a session bus, but open to all users.
  static let openSession = configuration(
    type: "session",
    """
    <policy context="default">
      <allow user="*"/>
      <allow send_destination="*" eavesdrop="true"/>
      <allow eavesdrop="true"/>
      <allow own="*"/>
    </policy>
    """)

  private static func configuration(type: String, _ content: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
    <type>\(type)</type>
    <listen>unix:tmpdir=/tmp</listen>
    <auth>EXTERNAL</auth>
    \(content)
    </busconfig>
    """
  }
}
