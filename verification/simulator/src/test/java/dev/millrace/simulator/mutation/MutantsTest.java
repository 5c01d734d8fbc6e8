package dev.millrace.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  /** What may take more histories takes too long for every run of the tests. */
  private static final long OFTEN = 60;

  /** One in so many; all of them are a campaign of their own: {@code simulate --mutants}. */
  private static final int STEP = 6;

  /** So many mutants of core and client there are at least. */
  private static final int MOST_ARE_HERE = 120;

  private static final Pattern NAMED = Pattern.compile("`([A-Za-z0-9-]+)`");

  static Stream<Mutant> mutants() {
    String one = System.getProperty("mutant");
    List<Mutant> all = Mutants.all().stream().filter(m -> isOfSeeds(m, one)).toList();
    return IntStream.range(0, all.size())
        .filter(i -> one != null || i % STEP == 0)
        .mapToObj(all::get);
  }

  private static boolean isOfSeeds(Mutant mutant, @Nullable String one) {
    return mutant.catcher() instanceof Catcher.Seeds seeds
        && (one == null ? seeds.count() <= OFTEN : mutant.name().equals(one));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void run_mutant_isCaughtWithinItsSeedsByAPromiseThatItBreaks(Mutant mutant) {
    MutantVerdict verdict = Mutants.run(mutant, (Catcher.Seeds) mutant.catcher());

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

  /**
   * A campaign of all mutants takes long, and must not end half-way because one does not compile.
   */
  @Test
  void all_ofCoreAndClient_compile() {
    Path home = ProjectHome.find();
    String classPath = System.getProperty("java.class.path");
    List<Mutant> here = Mutants.all().stream().filter(MutantsTest::isOnClassPath).toList();
    assertThat(here).hasSizeGreaterThan(MOST_ARE_HERE);
    for (Mutant mutant : here) {
      MutantBuild.of(mutant, home, classPath).close();
    }
  }

  private static boolean isOnClassPath(Mutant mutant) {
    return mutant.file().startsWith("libraries/core/")
        || mutant.file().startsWith("libraries/client/");
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

  /** Who reads of a fault can run its test and put it back. */
  @Test
  void faults_documentation_namesTestsAndMutantsThatExist() throws IOException {
    Path home = ProjectHome.find();
    List<String> mutants = Mutants.all().stream().map(Mutant::name).toList();
    Set<String> tests = testsIn(home);
    int rows = 0;
    for (String line : Files.readAllLines(home.resolve("docs/contribute/faults.md"))) {
      if (line.startsWith("|")) {
        String[] cells = line.split("\\|", -1); // the first and the last are empty
        rows += cells.length == 5 ? 1 : 0;
        assertNamed(cells[2], tests, line);
        assertNamed(cells.length == 5 ? cells[3] : "", mutants, line);
      }
    }
    assertThat(rows).isGreaterThan(30);
  }

  /** The sources alone: what a build makes meanwhile comes and goes. */
  private static Set<String> testsIn(Path home) throws IOException {
    Set<String> tests = new HashSet<>();
    for (Path module : directoriesIn(home).stream().flatMap(MutantsTest::in).toList()) {
      Path sources = module.resolve("src").resolve("test");
      if (Files.isDirectory(sources)) {
        try (Stream<Path> files = Files.walk(sources)) {
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(".java"))
              .forEach(name -> tests.add(name.substring(0, name.length() - ".java".length())));
        }
      }
    }
    return tests;
  }

  private static Stream<Path> in(Path directory) {
    try {
      return directoriesIn(directory).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> directoriesIn(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(Files::isDirectory).toList();
    }
  }

  private static void assertNamed(String cell, Collection<String> known, String line) {
    NAMED
        .matcher(cell)
        .results()
        .forEach(found -> assertThat(known).as(line).contains(found.group(1)));
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
