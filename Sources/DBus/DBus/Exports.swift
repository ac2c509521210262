// Whoever sends messages makes values.
@_exported import DBusValues
