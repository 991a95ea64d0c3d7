internal import CStoreLibraries
package import ManagedModels

extension DatabaseFailure {
  package var kind: Int32 { code & 0xFF }

  package var isDamage: Bool { kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT }

  /// An operation takes more steps, or a longer value, than a valid database of this size would need.
  package var isExcess: Bool { kind == SQLITE_INTERRUPT || kind == SQLITE_TOOBIG }

  /// A table or a column is missing. Queries are fixed, so the store's schema is at fault.
  package var isOfSchema: Bool { kind == SQLITE_ERROR }

  /// The file is not an SQLite database, or it is encrypted.
  package var isForeign: Bool { kind == SQLITE_NOTADB }

  package var isBusy: Bool { kind == SQLITE_BUSY }

  /// Only a connection that can write can recover the state after a killed writer.
  package var needsWriting: Bool {
    // SQLITE_READONLY_RECOVERY and SQLITE_READONLY_ROLLBACK, which Swift cannot import, since they are macros with
    // operators.
    [1, 3].contains { code == SQLITE_READONLY | $0 << 8 }
  }
}
