import CDBus
import Glibc

/// Overwrites the strings and byte arrays in the arguments of a `DBusMessage` that could not be read completely,
/// because libdbus caches messages along with their contents.
enum MessageEraser {
  /// Erases everything from the iterator's position on. The recursion is limited by libdbus's 64 levels.
  static func erase(_ iterator: inout DBusMessageIter) {
    while true {
      switch UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) {
      case 0: return
      case UInt8(ascii: "s"): eraseText(&iterator)
      case UInt8(ascii: "a") where dbus_message_iter_get_element_type(&iterator) == Int32(UInt8(ascii: "y")):
        eraseBytes(&iterator)
      case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "v"):
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        erase(&inner)
      default: break
      }
      dbus_message_iter_next(&iterator)
    }
  }

  private static func eraseText(_ iterator: inout DBusMessageIter) {
    var basic = DBusBasicValue()
    dbus_message_iter_get_basic(&iterator, &basic)
    if let text = basic.str { explicit_bzero(text, strlen(text)) }
  }

  private static func eraseBytes(_ iterator: inout DBusMessageIter) {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    guard dbus_message_iter_get_arg_type(&inner) != 0 else { return }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&inner, &bytes, &count)
    if let bytes, count > 0 { explicit_bzero(bytes, Int(count)) }
  }
}
