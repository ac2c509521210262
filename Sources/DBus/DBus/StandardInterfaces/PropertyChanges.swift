/// Property changes that no signal has reported yet, in the order of the first change of each interface.
struct PropertyChanges {
  struct Key: Hashable {
    let path: ObjectPath
    let interface: String
  }

  private(set) var order: [Key] = []
  private(set) var names: [Key: Set<String>] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ names: [String], at key: Key) {
    if self.names[key] == nil { order.append(key) }
    self.names[key, default: []].formUnion(names)
  }
}

extension Connection {
  /// Records that properties have changed.
  ///
  /// One `PropertiesChanged` signal for each interface reports all changes up to the next message that this connection
  /// sends. It is sent before that message, or else once the jobs that are already queued on the loop have run. The
  /// values are read when it is sent.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.Properties".
  ///
  /// - Parameters:
  ///   - path: the path of an object of this connection. If the object is gone when the signal is due, no signal is
  ///     sent.
  ///   - interface: one of its interfaces.
  ///   - names: the names of the changed properties. Those whose description says `const` or `false` are omitted; those
  ///     that say `invalidates` are listed without their values.
  public func propertiesChanged(at path: ObjectPath, interface: String, names: [String]) {
    guard isOpen, !names.isEmpty else { return }
    if changes.isEmpty {
      loop.post { [weak self] in self?.assumeIsolated { $0.flushPropertyChanges() } }
    }
    changes.add(names, at: PropertyChanges.Key(path: path, interface: interface))
  }

  /// Notifies one client that a property has changed, at once and with its value.
  ///
  /// - Parameters:
  ///   - destination: the client's unique name.
  ///   - name: the name of the property.
  ///   - path: the path of an object of this connection. If the object is gone, nothing is sent.
  ///   - interface: one of its interfaces.
  public func tell(_ destination: String, ofChanged name: String, at path: ObjectPath, interface: String) {
    guard let object = objects.object(at: path), let description = object.interface(interface) else { return }
    sendChanges(
      of: description.properties.filter { $0.name == name }, of: object,
      at: PropertyChanges.Key(path: path, interface: interface), to: destination)
  }

  /// Sends the changes that ``propertiesChanged(at:interface:names:)`` has recorded.
  func flushPropertyChanges() {
    guard !changes.isEmpty else { return }
    let flushed = changes
    // Cleared before anything is sent, because sending flushes.
    changes = PropertyChanges()
    for key in flushed.order {
      guard let object = objects.object(at: key.path), let interface = object.interface(key.interface) else { continue }
      let names = flushed.names[key] ?? []
      sendChanges(of: interface.properties.filter { names.contains($0.name) }, of: object, at: key)
    }
  }

  private func sendChanges(
    of properties: [PropertyDescription], of object: any ExportedObject, at key: PropertyChanges.Key,
    to destination: String? = nil
  ) {
    var changed: [String: Value] = [:]
    var invalidated: [String] = []
    for property in properties where property.access.isReadable {
      switch property.emitsChanged {
      case .true:
        if let value = try? object.property(property.name, of: key.interface) {
          changed[property.name] = value
        } else {
          invalidated.append(property.name)
        }
      case .invalidates: invalidated.append(property.name)
      case .const, .false: break
      }
    }
    guard !changed.isEmpty || !invalidated.isEmpty else { return }
    do throws(DBusError) {
      try emit(propertiesChangedSignal(key, .vardict(changed), invalidated), to: destination)
    } catch {
      // Most likely too large: report at least that the properties have changed. If even that fails, there is nothing
      // left to report.
      try? emit(propertiesChangedSignal(key, .vardict([:]), invalidated + changed.keys.sorted()), to: destination)
    }
  }

  private func propertiesChangedSignal(_ key: PropertyChanges.Key, _ changed: Value, _ invalidated: [String]) -> Signal {
    Signal(
      path: key.path, interface: StandardInterfaces.properties.name, member: "PropertiesChanged",
      body: [.string(key.interface), changed, .strings(invalidated)])
  }
}
