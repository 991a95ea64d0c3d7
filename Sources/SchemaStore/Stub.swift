extension StoreFile { public func migrate(to target: ManagedModel) throws { fatalError() } }
