package dev.millrace.server.audit;

/**
 * A version range of an artifact that is known to be vulnerable: from {@code from} on, before
 * {@code fixed}.
 */
record Advisory(String artifact, String from, String fixed, String id) {
  /** Reads {@code netty-codec-http 4.2.0 4.2.5 CVE-…}. */
  static Advisory parse(String line) {
    String[] parts = line.strip().split("\\s+", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("advisory '" + line + "': ARTIFACT FROM FIXED ID");
    }
    return new Advisory(parts[0], parts[1], parts[2], parts[3]);
  }

  boolean covers(Artifact found) {
    return found.name().equals(artifact)
        && compare(found.version(), from) >= 0
        && compare(found.version(), fixed) < 0;
  }

  /** By the numbers; what follows them, as in {@code 4.2.7.Final}, does not count. */
  private static int compare(String left, String right) {
    String[] one = left.split("[.-]", -1);
    String[] other = right.split("[.-]", -1);
    for (int i = 0; i < Math.max(one.length, other.length); i++) {
      int difference = Integer.compare(number(one, i), number(other, i));
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private static int number(String[] parts, int index) {
    return index < parts.length && parts[index].matches("\\d{1,9}")
        ? Integer.parseInt(parts[index])
        : 0;
  }
}
