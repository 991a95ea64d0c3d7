internal import CStoreLibraries
package import ManagedModels

extension DatabaseFailure {
  /// The result code without its extension.
  package var kind: Int32 { code & 0xFF }

  /// The file is not a database, or not a whole one.
  package var isDamage: Bool { kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT }

  /// It takes more than a valid database of its size: steps, or the length of a value.
  package var isExcess: Bool { kind == SQLITE_INTERRUPT || kind == SQLITE_TOOBIG }

  /// It lacks a table or a column: what is asked of a store is fixed, so its schema is at fault.
  package var isOfSchema: Bool { kind == SQLITE_ERROR }

  /// The file is not a database of SQLite's, or one that only its owner can read.
  package var isForeign: Bool { kind == SQLITE_NOTADB }

  /// Another connection holds a lock, and kept it for as long as was waited.
  package var isBusy: Bool { kind == SQLITE_BUSY }

  /// Only a connection that may write can recover what a killed writer left.
  package var needsWriting: Bool {
    // SQLITE_READONLY_RECOVERY and SQLITE_READONLY_ROLLBACK: Swift does not see macros with operators.
    [1, 3].contains { code == SQLITE_READONLY | $0 << 8 }
  }
}
