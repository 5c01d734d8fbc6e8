package dev.millrace.manifest.internal;

/**
 * One difference between the desired and the current state.
 *
 * @param subject the changed part: {@code limits of key-42 on gpt-4}
 * @param before the current state, empty for none
 * @param after the desired state, empty for none
 * @param drift whether it was changed by hand since the manifest last said the same
 * @param action the action that makes the change
 */
public record ManifestChange(
    String subject, String before, String after, boolean drift, ConfigAction action) {
  /** The kind of a difference. */
  public enum Kind {
    /** It does not exist yet. */
    ADD("+"),
    /** It exists and differs. */
    CHANGE("~"),
    /** It is no longer desired. */
    REMOVE("-"),
    /** It cannot be made. */
    IMPOSSIBLE("!");

    private final String sign;

    Kind(String sign) {
      this.sign = sign;
    }

    /** The sign before its line. */
    public String sign() {
      return sign;
    }
  }

  public Kind kind() {
    if (action instanceof ConfigAction.Impossible) {
      return Kind.IMPOSSIBLE;
    }
    if (after.isEmpty()) {
      return Kind.REMOVE;
    }
    return before.isEmpty() ? Kind.ADD : Kind.CHANGE;
  }

  @Override
  public String toString() {
    String line = kind().sign() + " " + subject + ": ";
    line +=
        switch (kind()) {
          case ADD -> after;
          case REMOVE -> before;
          case CHANGE -> before + " → " + after;
          case IMPOSSIBLE -> ((ConfigAction.Impossible) action).reason();
        };
    return drift ? line + "  (changed by hand)" : line;
  }
}
