package dev.millrace.simulator.mutation;

import dev.millrace.simulator.mutation.Catcher.NamedTest;
import dev.millrace.simulator.oracle.Promise;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a list of mutants. Each is a block of lines:
 *
 * <pre>
 * mutant floor-dropped
 * wrong  A sentence.
 * breaks NEVER_NEGATIVE, BOUNDED_BURST
 * within 40
 * in     libraries/core/src/main/java/…/Planner.java
 * -a line of the source, or a part of one
 * +what comes in its place
 * </pre>
 *
 * in this order; several {@code -} lines are consecutive lines of the source, no {@code +} line
 * takes them out. {@code within 60 from 10000000000} begins with that seed instead of 0.
 *
 * <p>Where the simulator cannot show a fault, a test must. Then one line stands for {@code breaks}
 * and {@code within}:
 *
 * <pre>
 * test   verification/tests/src/test/java/…/ListenerFailureTest.java
 * </pre>
 *
 * and {@code …Test.java#method} runs one method of it alone.
 *
 * <p>Blocks are apart by blank lines, {@code #} begins a comment. What does not look like that is
 * an error with the number of its line.
 */
final class MutantList {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final Pattern TEST =
      Pattern.compile(
          "([\\w-]+(?:/[\\w-]+)*" + NamedTest.SOURCES + "(?:\\w+/)*\\w+\\.java)(?:#(\\w+))?");

  private final List<String> lines;
  private final Set<String> names = new HashSet<>();
  private int next;

  private MutantList(List<String> lines) {
    this.lines = lines;
  }

  /** The mutants of a list in their order. */
  static List<Mutant> parse(String text) {
    MutantList list = new MutantList(text.lines().toList());
    List<Mutant> mutants = new ArrayList<>();
    while (list.skipBlank()) { // ends: every block takes lines away
      mutants.add(list.block());
    }
    return List.copyOf(mutants);
  }

  /** Goes to the next block; false when there is none. */
  private boolean skipBlank() {
    while (next < lines.size() && (lines.get(next).isBlank() || lines.get(next).startsWith("#"))) {
      next++;
    }
    return next < lines.size();
  }

  private Mutant block() {
    String name = value("mutant");
    if (!NAME.matcher(name).matches()) {
      throw wrong("a name is small letters, digits and dashes, not '" + name + "'");
    }
    if (!names.add(name)) {
      throw wrong("there is a mutant '" + name + "' already");
    }
    String sentence = value("wrong");
    if (!sentence.endsWith(".") || sentence.contains("|")) {
      throw wrong("what is wrong is a sentence without '|', not '" + sentence + "'");
    }
    Catcher catcher = next < lines.size() && lines.get(next).startsWith("test ") ? test() : seeds();
    String file = value("in");
    if (!file.endsWith(".java") || file.startsWith("/") || !file.contains("/src/main/java/")) {
      throw wrong("a source is named from the root of the project, not '" + file + "'");
    }
    String original = marked('-');
    if (original.isBlank()) {
      throw wrong("a line of the source is missing, it begins with '-'");
    }
    String replacement = marked('+');
    if (original.equals(replacement)) {
      throw wrong("the replacement is the original");
    }
    if (next < lines.size() && !lines.get(next).isBlank()) {
      next++;
      throw wrong("a blank line or the end of the list is missing before it");
    }
    return new Mutant(name, sentence, catcher, file, original, replacement);
  }

  private Catcher test() {
    String value = value("test");
    Matcher test = TEST.matcher(value);
    if (!test.matches()) {
      throw wrong("a test is named from the root of the project, not '" + value + "'");
    }
    return new NamedTest(test.group(1), test.group(2));
  }

  private Catcher seeds() {
    Set<Promise> breaks = promises(value("breaks"));
    String[] within = value("within").split(" from ", -1);
    if (within.length > 2) {
      throw wrong("'from' is there more than once");
    }
    long seeds = number(within[0], 1);
    long fromSeed = within.length == 1 ? 0 : number(within[1], 0);
    return new Catcher.Seeds(breaks, fromSeed, seeds);
  }

  private String value(String word) {
    String line = next < lines.size() ? lines.get(next) : "";
    next++;
    if (!line.startsWith(word + " ") || line.substring(word.length()).isBlank()) {
      throw wrong("'" + word + " …' is missing, here is '" + line + "'");
    }
    return line.substring(word.length()).strip();
  }

  private Set<Promise> promises(String value) {
    Set<Promise> promises = EnumSet.noneOf(Promise.class);
    for (String name : value.split(",", -1)) {
      try {
        promises.add(Promise.valueOf(name.strip()));
      } catch (IllegalArgumentException e) {
        throw wrong("there is no promise '" + name.strip() + "'");
      }
    }
    return promises;
  }

  private long number(String value, long least) {
    try {
      long number = Long.parseLong(value.strip());
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong("a number of seeds is at least " + least + ", not '" + value + "'");
  }

  private String marked(char mark) {
    List<String> marked = new ArrayList<>();
    while (next < lines.size() && lines.get(next).indexOf(mark) == 0) { // ends: next grows
      marked.add(lines.get(next).substring(1));
      next++;
    }
    return String.join("\n", marked);
  }

  /** About the line that was read last. */
  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(String.format(Locale.ROOT, "line %d: %s", next, what));
  }
}
