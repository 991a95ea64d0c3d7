/// Lengths, as the conversion of V2 needs them.
nonisolated public enum Length {
  /// Kilometres to metres, rounded. A rehearsal fills stores with what no whole number can say, infinity for one:
  /// a migration that traps on it would end the app at each launch.
  public static func metres(kilometres: Double) -> Int {
    let metres = (kilometres * 1000).rounded()
    return Int(exactly: metres) ?? (metres > 0 ? .max : metres < 0 ? .min : 0)
  }

  /// And back.
  public static func kilometres(metres: Int) -> Double {
    Double(metres) / 1000
  }
}
