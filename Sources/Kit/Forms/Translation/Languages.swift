// The texts of fields are of this module's type `Text`, which authors write next to schemas. One import offers both.
@_exported import Languages
