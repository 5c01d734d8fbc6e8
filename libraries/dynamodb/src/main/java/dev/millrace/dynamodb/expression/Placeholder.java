package dev.millrace.dynamodb.expression;

/**
 * A family of placeholders, numbered by the position of the limit they stand for. Limits' names
 * never stand in an expression: they may contain {@code -} and {@code .}, which mean something
 * there.
 */
final class Placeholder {
  /** How many of each family are made once and for all; more limits than this are rare. */
  private static final int PREPARED = 16;

  private final String prefix;
  private final String[] prepared = new String[PREPARED];

  Placeholder(String prefix) {
    this.prefix = prefix;
    for (int i = 0; i < PREPARED; i++) {
      prepared[i] = prefix + i;
    }
  }

  String at(int index) {
    return index < PREPARED ? prepared[index] : prefix + index;
  }
}
