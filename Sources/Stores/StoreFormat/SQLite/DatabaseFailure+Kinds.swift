internal import CStoreLibraries
package import ManagedModels

extension DatabaseFailure {
  package var kind: Int32 { code & 0xFF }

  package var isDamage: Bool { kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT }

  /// An operation exceeds what a valid database of its size needs: steps, or the length of a value.
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
