package dev.millrace.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Deliberate faults: an oracle that does not notice them proves nothing. {@code -Dmutant=NAME}
 * tries one alone.
 */
@Execution(ExecutionMode.CONCURRENT)
class MutantsTest {
  private static final String BEGIN = "<!-- mutants: the list, as MutantsTest compares it -->\n";
  private static final String END = "<!-- end of mutants -->";

  /** One in so many; all of them are a campaign of their own: {@code simulate --mutants}. */
  private static final int STEP = 12;

  static Stream<Mutant> mutants() {
    List<Mutant> all = ofSeeds();
    String one = System.getProperty("mutant");
    return IntStream.range(0, all.size())
        .filter(i -> one == null ? i % STEP == 0 : all.get(i).name().equals(one))
        .mapToObj(all::get);
  }

  private static List<Mutant> ofSeeds() {
    return Mutants.all().stream().filter(m -> m.catcher() instanceof Catcher.Seeds).toList();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void run_mutant_isCaughtWithinItsSeedsByAPromiseThatItBreaks(Mutant mutant) {
    Verdict verdict = Mutants.run(mutant, (Catcher.Seeds) mutant.catcher());

    assertThat(verdict.isAsExpected()).as(() -> mutant.name() + ": " + verdict).isTrue();
  }

  /** Else they could be caught by the way in which they are built. */
  @Test
  void run_nothingChanged_isNotCaught() {
    assertThat(Mutants.runUnchanged(18)).isNull();
  }

  @Test
  void all_textIsInTheSources() throws IOException {
    Path home = ProjectHome.find();
    for (Mutant mutant : Mutants.all()) {
      String source = Files.readString(home.resolve(mutant.file()));
      assertThat(mutant.applied(source)).isNotEqualTo(source);
    }
  }

  @Test
  void all_namedTestsAreInTheSources() {
    Path home = ProjectHome.find();
    for (Mutant mutant : Mutants.all()) {
      if (mutant.catcher() instanceof Catcher.NamedTest test) {
        assertThat(home.resolve(test.file())).as(mutant.name()).isRegularFile();
        String method = test.method();
        if (method != null) {
          assertThat(home.resolve(test.file())).content().contains(" " + method + "(");
        }
      }
    }
  }

  @Test
  void all_namesAreDistinct() {
    List<String> names = Mutants.all().stream().map(Mutant::name).toList();

    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(50);
  }

  @Test
  void table_documentation_isTheSame() throws IOException {
    Path page = ProjectHome.find().resolve("docs/contribute/testing.md");
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);

    assertThat(begin).isPositive();
    assertThat(text.substring(begin + BEGIN.length(), end)).isEqualTo(Mutants.table());
  }
}
