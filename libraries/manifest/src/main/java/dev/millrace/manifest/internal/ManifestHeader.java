package dev.millrace.manifest.internal;

import org.jspecify.annotations.Nullable;

/**
 * The header of a manifest.
 *
 * @param name the name under which its managed entries are recorded
 * @param namespace its namespace, null for any
 * @param allowOtherPeriods whether limits of one name may have several refill periods
 */
public record ManifestHeader(String name, @Nullable String namespace, boolean allowOtherPeriods) {
  /** The name of a manifest that has none. */
  public static final String DEFAULT_NAME = "default";

  public static final ManifestHeader NONE = new ManifestHeader(DEFAULT_NAME, null, false);
}
