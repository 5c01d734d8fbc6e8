package dev.millrace.simulator.mutation;

import dev.millrace.simulator.oracle.Promise;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The check that must catch a mutant: a campaign of histories, or a test with a name. */
public sealed interface Catcher permits Catcher.Seeds, Catcher.NamedTest {
  /**
   * A campaign that must break a promise.
   *
   * @param breaks the promises of which the mutant breaks at least one
   * @param from the seed that the campaign begins with: 0, or near one that is known to show it
   * @param count within how many histories, counted from there, the campaign must catch it
   */
  record Seeds(Set<Promise> breaks, long from, long count) implements Catcher {
    /** Keeps the promises as they are now. */
    public Seeds {
      breaks = Set.copyOf(breaks);
    }
  }

  /**
   * A test that must fail, for what the simulator does not run.
   *
   * @param file its source, from the root of the project
   * @param method the one method to run, null for the whole class
   */
  record NamedTest(String file, @Nullable String method) implements Catcher {
    static final String SOURCES = "/src/test/java/";

    /** The module whose test it is. */
    public String module() {
      return file.substring(0, file.indexOf(SOURCES));
    }

    /** The class, with its package. */
    public String className() {
      String path = file.substring(file.indexOf(SOURCES) + SOURCES.length());
      return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    @Override
    public String toString() {
      String name = className().substring(className().lastIndexOf('.') + 1);
      return method == null ? name : name + "#" + method;
    }
  }
}
