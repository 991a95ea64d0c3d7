/// Lengths, as the conversion of V2 needs them.
public enum Length {
  /// Kilometres to metres, rounded.
  public static func metres(kilometres: Double) -> Int {
    Int((kilometres * 1000).rounded())
  }

  /// And back.
  public static func kilometres(metres: Int) -> Double {
    Double(metres) / 1000
  }
}
