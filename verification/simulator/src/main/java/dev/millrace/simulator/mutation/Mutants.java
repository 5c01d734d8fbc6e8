package dev.millrace.simulator.mutation;

import dev.millrace.simulator.mutation.Catcher.NamedTest;
import dev.millrace.simulator.oracle.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The mutants of the project, and the trials that must catch them. */
public final class Mutants {
  private static final String LIST = "mutants.txt";

  /** Longest time for one mutant: some fault could end in a loop without events. */
  private static final long MAX_SECONDS = 600;

  private Mutants() {}

  /** The list as it is checked in. */
  public static List<Mutant> all() {
    try (InputStream in = Mutants.class.getResourceAsStream(LIST)) {
      String text =
          new String(Objects.requireNonNull(in, LIST).readAllBytes(), StandardCharsets.UTF_8);
      return MutantList.parse(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Tries each of {@code mutants}, one after another.
   *
   * @param progress told after each
   */
  public static List<MutantVerdict> run(List<Mutant> mutants, Consumer<MutantVerdict> progress) {
    Path home = ProjectHome.find();
    Set<String> modules =
        mutants.stream()
            .flatMap(mutant -> mutant.catcher() instanceof NamedTest t ? Stream.of(t) : null)
            .map(NamedTest::module)
            .collect(Collectors.toSet());
    TestClassPaths classPaths = TestClassPaths.build(home, modules);
    return run(mutants, new TestTrial(home, classPaths::of), progress);
  }

  /**
   * Tries each of {@code mutants}, which are those of one module's tests.
   *
   * @param classPath of the tests of that module
   */
  public static List<MutantVerdict> runTests(List<Mutant> mutants, String classPath) {
    return run(mutants, new TestTrial(ProjectHome.find(), module -> classPath), verdict -> {});
  }

  private static List<MutantVerdict> run(
      List<Mutant> mutants, TestTrial tests, Consumer<MutantVerdict> progress) {
    List<MutantVerdict> verdicts = new ArrayList<>(mutants.size());
    for (Mutant mutant : mutants) {
      MutantVerdict verdict =
          mutant.catcher() instanceof NamedTest test
              ? tests.run(mutant, test)
              : run(mutant, (Catcher.Seeds) mutant.catcher());
      verdicts.add(verdict);
      progress.accept(verdict);
    }
    return verdicts;
  }

  /** Runs a campaign of at most {@code seeds} histories against {@code mutant}. */
  static MutantVerdict run(Mutant mutant, Catcher.Seeds seeds) {
    String classPath = System.getProperty("java.class.path");
    try (MutantBuild build = MutantBuild.of(mutant, ProjectHome.find(), classPath)) {
      String failure = firstFailure(build.classes(), seeds.from(), seeds.count());
      if (failure == null) {
        return MutantVerdict.ofCampaign(mutant, seeds.count(), null, "");
      }
      String[] parts = failure.split("\n", 3);
      long tried = Long.parseLong(parts[0]) - seeds.from() + 1;
      return MutantVerdict.ofCampaign(mutant, tried, Promise.valueOf(parts[1]), parts[2]);
    }
  }

  /** The same for the project as it is: what fails, or null when nothing does. */
  public static @Nullable String runUnchanged(long seeds) {
    try (MutantBuild build = MutantBuild.unchanged()) {
      return firstFailure(build.classes(), /* fromSeed= */ 0, seeds);
    }
  }

  /** On a thread of its own, so that a loop without an end can be left behind. */
  private static @Nullable String firstFailure(Path classes, long fromSeed, long seeds) {
    FutureTask<@Nullable String> trial = new FutureTask<>(() -> call(classes, fromSeed, seeds));
    Thread thread = new Thread(trial, "mutant");
    thread.setDaemon(true);
    thread.start();
    try {
      return trial.get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("a campaign took more than " + MAX_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a campaign broke: " + e.getCause(), e.getCause());
    }
  }

  private static @Nullable String call(Path classes, long fromSeed, long seeds) throws Exception {
    MutantLoader loader = new MutantLoader(classes, Mutants.class.getClassLoader());
    Class<?> trial = Class.forName(Trial.class.getName(), true, loader);
    try {
      return (String)
          trial.getMethod("firstFailure", long.class, long.class).invoke(null, fromSeed, seeds);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause instanceof Exception exception ? exception : e;
    }
  }

  /** The list as a table for people. */
  public static String table() {
    StringBuilder table = new StringBuilder("| mutant | what is wrong | caught by | seeds |\n");
    table.append("|---|---|---|---|\n");
    for (Mutant mutant : all()) {
      table
          .append("| `")
          .append(mutant.name())
          .append("` | ")
          .append(mutant.wrong())
          .append(" | ")
          .append(caughtBy(mutant.catcher()))
          .append(" |\n");
    }
    return table.toString();
  }

  /** The last two columns. */
  private static String caughtBy(Catcher catcher) {
    if (!(catcher instanceof Catcher.Seeds seeds)) {
      return "`" + catcher + "` | a test";
    }
    List<String> promises = seeds.breaks().stream().sorted().map(Promise::toString).toList();
    String from = seeds.from() == 0 ? "" : " from " + seeds.from();
    return String.join(", ", promises) + " | " + seeds.count() + from;
  }
}
