// Code that sends messages also creates values.
@_exported import DBusValues
