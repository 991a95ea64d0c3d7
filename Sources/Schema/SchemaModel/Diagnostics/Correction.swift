/// The change to a manifest that a finding's help proposes, if it is unambiguous.
///
/// The rule that reports the finding provides it; `lint --fix` applies it.
package enum Correction: Hashable, Sendable {
  /// Replaces text, such as a misspelt name. If `over` is nil, the whole value is replaced.
  case write(String, over: String? = nil)
  case removal
  case removalOfKeys([String])
}
