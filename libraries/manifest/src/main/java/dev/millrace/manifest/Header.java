package dev.millrace.manifest;

import org.jspecify.annotations.Nullable;

/**
 * What a manifest says about itself.
 *
 * @param name under which it remembers what it manages
 * @param namespace for which it is made, null for any
 * @param allowOtherPeriods whether limits of one name may have several refill periods
 */
public record Header(String name, @Nullable String namespace, boolean allowOtherPeriods) {
  /** The name of a manifest that has none. */
  public static final String DEFAULT_NAME = "default";

  /** Of something that says nothing about itself. */
  public static final Header NONE = new Header(DEFAULT_NAME, null, false);
}
