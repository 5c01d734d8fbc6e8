package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.TimeSource;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The walk-through names classes and methods that exist, in the order in which they are called. */
class WalkThroughTest {
  private static final String PAGE = "docs/design/walk-through.md";
  private static final int MAX_LINES = 200;
  private static final long START_MS = 1_700_000_000_000L;

  private static final String ACQUIRE = "One acquire, to DynamoDB and back";
  private static final String REFUSAL = "One refusal from memory";
  private static final String SETTLEMENT = "One settlement";
  private static final String RECORD = "One stream record";

  private static final String STEPS = "| step | from | method | what it decides or does |";
  private static final String FROM_OUTSIDE = "—";

  /**
   * A class, a method of one, or {@code new} and a class; the keywords of DynamoDB are capitals.
   */
  private static final Pattern NAME =
      Pattern.compile("(new )?([A-Z]\\w*[a-z]\\w*(?:\\.[A-Z]\\w*)*)(?:\\.([a-z]\\w*))?");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\[`([^`]+)`]\\(([^)]+\\.java)\\)");

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.millrace");

  /**
   * A row of a table.
   *
   * @param from the number of the step that calls it, 0 for a call from outside
   * @param method as the page names it
   */
  private record Row(int number, int from, String method) {
    String className() {
      return parts().group(2);
    }

    String methodName() {
      MatchResult parts = parts();
      return parts.group(1) != null ? JavaConstructor.CONSTRUCTOR_NAME : parts.group(3);
    }

    private MatchResult parts() {
      return NAME.matcher(method).results().findFirst().orElseThrow();
    }
  }

  @Test
  void page_isShort() throws IOException {
    assertThat(Repository.read(PAGE).lines().count()).isLessThanOrEqualTo(MAX_LINES);
  }

  @Test
  void names_areThoseOfClassesAndMethods() throws IOException {
    String page = Repository.read(PAGE);
    Set<String> ofTests = new HashSet<>();
    LINK.matcher(page)
        .results()
        .filter(link -> link.group(2).contains("/src/test/"))
        .forEach(link -> ofTests.add(link.group(1)));
    List<String> unknown =
        CODE.matcher(page)
            .results()
            .map(code -> code.group(1))
            .filter(code -> NAME.matcher(code).matches() && !ofTests.contains(code))
            .filter(code -> !exists(code))
            .filter(code -> !isOfThisTest(code))
            .toList();

    assertThat(unknown).isEmpty();
  }

  private static boolean isOfThisTest(String code) {
    return code.equals(WalkThroughTest.class.getSimpleName());
  }

  private static boolean exists(String code) {
    MatchResult parts = NAME.matcher(code).results().findFirst().orElseThrow();
    String name = parts.group(2);
    @Nullable String method = parts.group(3);
    int last = name.lastIndexOf('.');
    return classes(name).anyMatch(found -> method == null || declares(found, method))
        || (last > 0 // a constant
            && classes(name.substring(0, last))
                .anyMatch(found -> found.tryGetField(name.substring(last + 1)).isPresent()));
  }

  private static boolean declares(JavaClass found, String method) {
    return found.getMethods().stream().anyMatch(declared -> declared.getName().equals(method));
  }

  /** The classes with this name, which may leave out the classes around them. */
  private static Stream<JavaClass> classes(String name) {
    return MAIN.stream()
        .filter(found -> path(found).equals(name) || path(found).endsWith("." + name));
  }

  private static String path(JavaClass found) {
    String name = found.getName();
    return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
  }

  @Test
  void links_leadToTheFileOfTheClass() throws IOException {
    List<MatchResult> links = LINK.matcher(Repository.read(PAGE)).results().toList();
    Path folder = Repository.root().resolve(PAGE).getParent();

    assertThat(links).hasSizeGreaterThan(90);
    for (MatchResult link : links) {
      String name = NAME.matcher(link.group(1)).results().findFirst().orElseThrow().group(2);
      Path file = folder.resolve(link.group(2)).normalize();
      assertThat(file).isRegularFile();
      assertThat(file.getFileName()).hasToString(name.replaceAll("\\..*", "") + ".java");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ACQUIRE, REFUSAL, SETTLEMENT, RECORD})
  void steps_areCalledByTheStepsTheyComeFrom(String section) throws IOException {
    List<Row> rows = rows(section);

    assertThat(rows).hasSizeGreaterThan(10);
    for (Row row : rows) {
      if (row.from() != 0) {
        Row caller = rows.get(row.from() - 1);
        assertThat(row.from()).isLessThan(row.number());
        assertThat(calls(caller, row))
            .as("%s: %s calls %s", section, caller.method(), row.method())
            .isTrue();
      }
    }
  }

  /** The rows of a section's table; every method of them exists. */
  private static List<Row> rows(String section) throws IOException {
    String page = Repository.read(PAGE);
    String text = page.substring(page.indexOf("## " + section));
    List<Row> rows = new ArrayList<>();
    for (List<String> cells : Markdown.table(text, STEPS)) {
      String from = cells.get(1);
      String method = CODE.matcher(cells.get(2)).results().findFirst().orElseThrow().group(1);
      rows.add(
          new Row(rows.size() + 1, from.equals(FROM_OUTSIDE) ? 0 : Integer.parseInt(from), method));
      assertThat(cells.get(0)).isEqualTo(String.valueOf(rows.size()));
      assertThat(exists(method)).as(method).isTrue();
    }
    return rows;
  }

  /** Whether a method of {@code caller}, or another one of its file that it calls, calls it. */
  private static boolean calls(Row caller, Row called) {
    JavaClass target = theClass(called);
    String file = path(theClass(caller)).replaceAll("\\..*", "");
    Deque<JavaCodeUnit> open = new ArrayDeque<>(codeUnits(theClass(caller), caller.methodName()));
    Set<JavaCodeUnit> seen = new HashSet<>(open);
    while (!open.isEmpty()) { // ends: every method is looked at once
      for (CodeUnitAccessTarget next : targets(open.remove())) {
        JavaClass owner = next.getOwner();
        if (next.getName().equals(called.methodName())
            && target.isAssignableTo(owner.getFullName())) {
          return true;
        }
        if (path(owner).replaceAll("\\..*", "").equals(file)) {
          codeUnits(owner, next.getName()).stream().filter(seen::add).forEach(open::add);
        }
      }
    }
    return false;
  }

  private static JavaClass theClass(Row row) {
    return classes(row.className())
        .filter(found -> path(found).equals(row.className()))
        .findFirst()
        .orElseThrow();
  }

  private static List<JavaCodeUnit> codeUnits(JavaClass owner, String name) {
    return owner.getCodeUnits().stream().filter(unit -> unit.getName().equals(name)).toList();
  }

  /** What a method calls or refers to, in its lambdas too. */
  private static List<CodeUnitAccessTarget> targets(JavaCodeUnit unit) {
    List<CodeUnitAccessTarget> targets = new ArrayList<>();
    unit.getMethodCallsFromSelf().forEach(call -> targets.add(call.getTarget()));
    unit.getConstructorCallsFromSelf().forEach(call -> targets.add(call.getTarget()));
    unit.getMethodReferencesFromSelf().forEach(reference -> targets.add(reference.getTarget()));
    return targets;
  }

  @Test
  void acquireAndSettlement_whenRun_reachTheStoreByTheirSteps() throws IOException {
    Running running = new Running();
    running.limiter.acquire(running.request(1_000)).close(); // the bucket is known from now on
    running.atStore.clear();

    Lease lease = running.limiter.acquire(running.request(1));
    assertThat(running.atStore).hasSize(1);
    assertRan(running.atStore.get(0), way(rows(ACQUIRE), "DynamoStore.execute"));

    lease.adjust("tpm", 1);
    running.atStore.clear();
    lease.close();
    assertThat(running.atStore).hasSize(1);
    assertRan(running.atStore.get(0), way(rows(SETTLEMENT), "DynamoStore.execute"));
  }

  @Test
  void refusal_whenRun_isDecidedAndReportedByItsSteps() throws IOException {
    Running running = new Running();
    running.limiter.acquire(running.request(9_999)).close();
    running.atStore.clear();
    running.atClock.clear();

    assertThatExceptionOfType(RateLimitExceededException.class)
        .isThrownBy(() -> running.limiter.acquire(running.request(100)));

    assertThat(running.atStore).isEmpty();
    assertThat(running.atRefusal).hasSize(1);
    assertRan(running.atRefusal.get(0), way(rows(REFUSAL), "LimiterEvents.refused"));
    List<String> deciding = way(rows(REFUSAL), "BucketForecast.refusal");
    deciding.add("BucketForecast.refusal");
    assertThat(running.atClock).anySatisfy(stack -> assertRan(stack, deciding));
  }

  private static void assertRan(List<String> stack, List<String> way) {
    assertThat(way).hasSizeGreaterThan(1);
    assertThat(stack).containsSubsequence(way);
  }

  /** The steps from the call of the limiter to the one with this method, without it. */
  private static List<String> way(List<Row> rows, String method) {
    Row last = rows.stream().filter(row -> row.method().equals(method)).findFirst().orElseThrow();
    List<String> way = new ArrayList<>();
    for (int next = last.from(); next != 0; next = rows.get(next - 1).from()) {
      way.add(rows.get(next - 1).method());
    }
    Collections.reverse(way);
    return way;
  }

  /** A limiter over a store in memory that notes by which methods it is reached. */
  private static final class Running {
    final ManualClock clock = new ManualClock(START_MS);
    final List<List<String>> atStore = new ArrayList<>();
    final List<List<String>> atClock = new ArrayList<>();
    final List<List<String>> atRefusal = new ArrayList<>();
    final RateLimiter limiter;

    Running() {
      InMemoryStore store = new InMemoryStore();
      TimeSource time =
          new TimeSource() {
            @Override
            public long nowMs() {
              atClock.add(stack());
              return clock.nowMs();
            }

            @Override
            public long elapsedMs() {
              return clock.elapsedMs();
            }

            @Override
            public CompletableFuture<Void> after(long delayMs) {
              return clock.after(delayMs);
            }
          };
      LimiterListener listener =
          event -> {
            if (event instanceof LimiterEvent.Decision decision
                && decision.outcome() == LimiterEvent.Decision.Outcome.REFUSED) {
              atRefusal.add(stack());
            }
          };
      limiter =
          RateLimiter.create(
              (call, timeoutMs) -> {
                atStore.add(stack());
                return store.execute(call, timeoutMs);
              },
              LimiterOptions.builder().time(time).listener(listener).build());
    }

    AcquireRequest request(long tokens) {
      return AcquireRequest.of("key-42", "gpt-4")
          .limits(Limit.perMinute("tpm", 10_000))
          .consume("tpm", tokens);
    }

    /** The methods that are running, the outermost first. */
    private static List<String> stack() {
      List<String> names =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      new ArrayList<>(
                          frames
                              .map(
                                  frame ->
                                      simpleName(frame.getClassName())
                                          + "."
                                          + frame.getMethodName())
                              .toList()));
      Collections.reverse(names);
      return names;
    }

    private static String simpleName(String className) {
      return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    }
  }
}
