// The texts of fields have this module's type `Text`, which authors use next to schemas. One import provides both.
@_exported import Languages
