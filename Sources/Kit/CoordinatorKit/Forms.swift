// Authors of flows and clients use schemas, values and secrets in almost every file that names a screen. One import
// offers both modules to them; code that needs no coordinators imports Forms alone.
@_exported import Forms
