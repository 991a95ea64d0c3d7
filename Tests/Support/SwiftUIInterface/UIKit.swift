// The part of UIKit's interface that Sources/App/SchemaMigrationKit uses, so that Scripts/apple.py can compile it
// without UIKit. Signatures are as Apple documents them; bodies do nothing.

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
