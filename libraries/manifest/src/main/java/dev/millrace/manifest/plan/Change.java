package dev.millrace.manifest.plan;

/**
 * One difference between what is wanted and what is there.
 *
 * @param subject about what: {@code limits of key-42 on gpt-4}
 * @param before what is there, empty when nothing is
 * @param after what is wanted, empty when nothing is
 * @param drift whether somebody changed by hand what the manifest had said; it says the same still
 * @param action how it is mended
 */
public record Change(String subject, String before, String after, boolean drift, Action action) {
  /** Which sort of difference. */
  public enum Kind {
    /** It was not there. */
    ADD("+"),
    /** It was otherwise. */
    CHANGE("~"),
    /** It is no longer wanted. */
    REMOVE("-"),
    /** It cannot be made so. */
    IMPOSSIBLE("!");

    private final String sign;

    Kind(String sign) {
      this.sign = sign;
    }

    /** As it stands before a line. */
    public String sign() {
      return sign;
    }
  }

  /** Which sort of difference. */
  public Kind kind() {
    if (action instanceof Action.Impossible) {
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
          case IMPOSSIBLE -> ((Action.Impossible) action).reason();
        };
    return drift ? line + "  (changed by hand)" : line;
  }
}
