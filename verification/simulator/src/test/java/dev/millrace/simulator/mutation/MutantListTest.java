package dev.millrace.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.simulator.oracle.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MutantListTest {
  private static final String GOOD =
      """
      mutant floor-dropped
      wrong  A write takes what is not there.
      breaks NEVER_NEGATIVE, BOUNDED_BURST
      within 40
      in     libraries/core/src/main/java/dev/millrace/core/Plan.java
      -    floor(taken);
      +    ceiling(taken);
      """;

  private static final String TEST = "libraries/core/src/test/java/dev/millrace/core/PlanTest.java";

  @Test
  void parse_block_isTheMutant() {
    assertThat(MutantList.parse(GOOD))
        .containsExactly(
            new Mutant(
                "floor-dropped",
                "A write takes what is not there.",
                new Catcher.Seeds(
                    Set.of(Promise.NEVER_NEGATIVE, Promise.BOUNDED_BURST), /* from= */ 0, 40),
                "libraries/core/src/main/java/dev/millrace/core/Plan.java",
                "    floor(taken);",
                "    ceiling(taken);"));
  }

  @Test
  void parse_blocksBlankLinesAndComments_isEveryMutantInItsOrder() {
    String text = "# about\n\n" + GOOD + "\n\n# more\n" + with(1, "mutant lock-dropped") + "\n";

    assertThat(MutantList.parse(text))
        .extracting(Mutant::name)
        .containsExactly("floor-dropped", "lock-dropped");
  }

  @Test
  void parse_nothingInItsPlace_takesTheLinesOut() {
    assertThat(MutantList.parse(with(7, "")))
        .singleElement()
        .extracting(Mutant::replacement)
        .isEqualTo("");
  }

  @Test
  void parse_severalLines_areConsecutiveLinesOfTheSource() {
    assertThat(MutantList.parse(with(6, "-    floor(taken);\n-    ceiling(taken);")))
        .singleElement()
        .extracting(Mutant::original)
        .isEqualTo("    floor(taken);\n    ceiling(taken);");
  }

  @Test
  void parse_seedsFrom_beginThere() {
    Mutant mutant = MutantList.parse(with(4, "within 40 from 900")).get(0);

    assertThat(mutant.catcher())
        .isEqualTo(
            new Catcher.Seeds(
                Set.of(Promise.NEVER_NEGATIVE, Promise.BOUNDED_BURST), /* from= */ 900, 40));
  }

  @Test
  void parse_test_standsForPromisesAndSeeds() {
    Catcher catcher = MutantList.parse(withTest(TEST)).get(0).catcher();

    assertThat(catcher).isEqualTo(new Catcher.NamedTest(TEST, null)).hasToString("PlanTest");
    assertThat(((Catcher.NamedTest) catcher).module()).isEqualTo("libraries/core");
    assertThat(((Catcher.NamedTest) catcher).className()).isEqualTo("dev.millrace.core.PlanTest");
  }

  @Test
  void parse_testWithMethod_isThatMethod() {
    Catcher catcher = MutantList.parse(withTest(TEST + "#plan_floor_isKept")).get(0).catcher();

    assertThat(catcher)
        .isEqualTo(new Catcher.NamedTest(TEST, "plan_floor_isKept"))
        .hasToString("PlanTest#plan_floor_isKept");
  }

  @Test
  void parse_nothing_isNoMutant() {
    assertThat(MutantList.parse("# only a comment\n\n")).isEmpty();
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake(1, "'mutant …' is missing, here is 'Mutant x'", with(1, "Mutant x")),
        mistake(1, "'mutant …' is missing, here is 'mutants x'", with(1, "mutants x")),
        mistake(1, "'mutant …' is missing, here is 'mutant  '", with(1, "mutant  ")),
        mistake(1, "small letters, digits and dashes, not 'Floor'", with(1, "mutant Floor")),
        mistake(1, "small letters, digits and dashes, not 'floor-'", with(1, "mutant floor-")),
        mistake(1, "small letters, digits and dashes, not 'a b'", with(1, "mutant a b")),
        mistake(9, "there is a mutant 'floor-dropped' already", GOOD + "\n" + GOOD),
        mistake(2, "'wrong …' is missing, here is '# Why?'", with(2, "# Why?")),
        mistake(2, "a sentence without '|', not 'no full stop'", with(2, "wrong no full stop")),
        mistake(2, "a sentence without '|', not 'a | b.'", with(2, "wrong a | b.")),
        mistake(3, "'breaks …' is missing, here is ''", with(3, "")),
        mistake(3, "there is no promise 'P3'", with(3, "breaks NEVER_NEGATIVE, P3")),
        mistake(3, "there is no promise ''", with(3, "breaks NEVER_NEGATIVE,")),
        mistake(4, "at least 1, not '0'", with(4, "within 0")),
        mistake(4, "at least 1, not 'forty'", with(4, "within forty")),
        mistake(4, "at least 0, not '-1'", with(4, "within 40 from -1")),
        mistake(4, "'from' is there more than once", with(4, "within 40 from 1 from 2")),
        mistake(5, "not 'core/Plan.java'", with(5, "in core/Plan.java")),
        mistake(5, "not '/core/src/main/java/A.java'", with(5, "in /core/src/main/java/A.java")),
        mistake(5, "not 'core/src/main/java/A.kt'", with(5, "in core/src/main/java/A.kt")),
        mistake(5, "a line of the source is missing", with(6, "+    ceiling(taken);")),
        mistake(6, "a line of the source is missing", with(6, "-  ")),
        mistake(7, "the replacement is the original", with(6, "-    ceiling(taken);")),
        mistake(8, "a blank line or the end of the list is missing", GOOD + "# end"),
        mistake(8, "a blank line or the end of the list is missing", GOOD + "-  more"),
        mistake(3, "not 'PlanTest'", withTest("PlanTest")),
        mistake(3, "not '" + TEST + "#'", withTest(TEST + "#")));
  }

  private static Arguments mistake(int line, String said, String text) {
    return Arguments.of(line, said, text);
  }

  /** The good block with a test in the place of promises and seeds. */
  private static String withTest(String test) {
    List<String> lines = new ArrayList<>(GOOD.lines().toList());
    lines.set(2, "test   " + test);
    lines.remove(3);
    return String.join("\n", lines);
  }

  /** The good block with another line in the place of one. */
  private static String with(int line, String other) {
    List<String> lines = new ArrayList<>(GOOD.lines().toList());
    lines.set(line - 1, other);
    return String.join("\n", lines);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void parse_mistake_isAnErrorWithTheNumberOfItsLine(int line, String said, String text) {
    assertThatThrownBy(() -> MutantList.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line " + line + ": ")
        .hasMessageContaining(said);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void parse_blockThatEndsEarly_isAnError(int lines) {
    String text = String.join("\n", GOOD.lines().limit(lines).toList());

    assertThatThrownBy(() -> MutantList.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is missing");
  }
}
