// The part of the interfaces of UIKit and Foundation on Apple's systems that Sources/SchemaMigrationKit uses, so that
// it can be compiled where they are not. Signatures as Apple documents them; bodies do nothing.

public import Foundation

@MainActor
public class UIApplication {
  public nonisolated class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
    NSNotification.Name("")
  }
  public nonisolated class var didBecomeActiveNotification: NSNotification.Name {
    NSNotification.Name("")
  }
}

extension ProcessInfo {
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {}
}
