package dev.millrace.simulator.mutation;

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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The mutants of the project, and campaigns against them. */
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
   * Runs a campaign against each of {@code mutants}, one after another.
   *
   * @param progress told after each
   */
  public static List<Verdict> run(List<Mutant> mutants, Consumer<Verdict> progress) {
    List<Verdict> verdicts = new ArrayList<>(mutants.size());
    for (Mutant mutant : mutants) {
      Verdict verdict = run(mutant);
      verdicts.add(verdict);
      progress.accept(verdict);
    }
    return verdicts;
  }

  /** Runs a campaign against {@code mutant}, of as many seeds as the list says. */
  public static Verdict run(Mutant mutant) {
    return run(mutant, mutant.fromSeed(), mutant.seeds());
  }

  /** Runs a campaign of at most {@code seeds} histories against {@code mutant}. */
  public static Verdict run(Mutant mutant, long fromSeed, long seeds) {
    try (MutantBuild build = MutantBuild.of(mutant, ProjectHome.find())) {
      String failure = firstFailure(build.classes(), fromSeed, seeds);
      if (failure == null) {
        return new Verdict(mutant, seeds, null, "");
      }
      String[] parts = failure.split("\n", 3);
      long tried = Long.parseLong(parts[0]) - fromSeed + 1;
      return new Verdict(mutant, tried, Promise.valueOf(parts[1]), parts[2]);
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
    StringBuilder table =
        new StringBuilder("| mutant | what is wrong | promise broken | seeds |\n");
    table.append("|---|---|---|---|\n");
    for (Mutant mutant : all()) {
      List<String> promises = mutant.breaks().stream().sorted().map(Promise::toString).toList();
      table
          .append("| `")
          .append(mutant.name())
          .append("` | ")
          .append(mutant.wrong())
          .append(" | ")
          .append(String.join(", ", promises))
          .append(" | ")
          .append(mutant.seeds())
          .append(mutant.fromSeed() == 0 ? "" : " from " + mutant.fromSeed())
          .append(" |\n");
    }
    return table.toString();
  }
}
