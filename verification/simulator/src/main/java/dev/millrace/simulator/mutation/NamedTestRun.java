package dev.millrace.simulator.mutation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/**
 * The main class of a process that runs one test class and writes down what failed. The class path
 * of the process begins with the classes of a mutant.
 */
final class NamedTestRun {
  static final int PASSED = 0;
  static final int FAILED = 1;

  /** The test could not be run: no such class, no such method, or every test was skipped. */
  static final int NOTHING_RUN = 2;

  private NamedTestRun() {}

  /**
   * Runs it.
   *
   * @param args the class, the method or an empty text, and the file to write to
   */
  public static void main(String[] args) throws Exception {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectors(args[0], args[1])).build();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    int result = result(summary);
    Files.writeString(Path.of(args[2]), text(summary));
    System.exit(result); // threads of a test that failed may live on
  }

  private static List<DiscoverySelector> selectors(String name, String method) throws Exception {
    Class<?> test = Class.forName(name);
    if (method.isEmpty()) {
      return List.of(DiscoverySelectors.selectClass(test));
    }
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (Method declared : test.getDeclaredMethods()) {
      if (declared.getName().equals(method)) {
        selectors.add(DiscoverySelectors.selectMethod(test, declared));
      }
    }
    if (selectors.isEmpty()) {
      throw new NoSuchMethodException(name + "#" + method);
    }
    return selectors;
  }

  private static int result(TestExecutionSummary summary) {
    if (summary.getTotalFailureCount() > 0) {
      return FAILED;
    }
    return summary.getTestsSucceededCount() == 0 ? NOTHING_RUN : PASSED;
  }

  private static String text(TestExecutionSummary summary) {
    StringWriter text = new StringWriter();
    PrintWriter lines = new PrintWriter(text);
    for (Failure failure : summary.getFailures()) {
      lines.println(failure.getTestIdentifier().getDisplayName() + ": " + failure.getException());
      Arrays.stream(failure.getException().getStackTrace())
          .limit(5)
          .forEach(at -> lines.println("    at " + at));
    }
    lines.flush();
    return text.toString();
  }
}
