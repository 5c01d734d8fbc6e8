package dev.millrace.regions.internal.ledger;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The rules for names of regions, which are part of the names of objects in S3. */
public final class RegionNames {
  /** Most regions that share a limit: each one reads the snapshots of all others. */
  public static final int MAX_REGIONS = 32;

  /** Longest name, in characters. */
  public static final int MAX_LENGTH = 32;

  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  private RegionNames() {}

  /** Whether {@code name} can name a region. */
  public static boolean isName(String name) {
    return FORM.matcher(name).matches();
  }

  /** Returns {@code name} if it is valid: a small letter, then also digits and hyphens. */
  public static String require(String name) {
    if (!isName(name)) {
      String shown = name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) + "…" : name;
      throw new IllegalArgumentException(
          "region '"
              + shown
              + "' must be a small letter, then small letters, digits and hyphens, at most "
              + MAX_LENGTH);
    }
    return name;
  }

  /** The names in their order, each once. */
  public static List<String> requireAll(Collection<String> names) {
    if (names.isEmpty() || names.size() > MAX_REGIONS) {
      throw new IllegalArgumentException(
          "regions: " + names.size() + " given, must be from 1 to " + MAX_REGIONS);
    }
    TreeSet<String> sorted = new TreeSet<>();
    for (String name : names) {
      if (!sorted.add(require(name))) {
        throw new IllegalArgumentException("regions: '" + name + "' is given twice");
      }
    }
    return List.copyOf(sorted);
  }
}
