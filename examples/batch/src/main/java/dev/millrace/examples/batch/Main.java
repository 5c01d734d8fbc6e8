package dev.millrace.examples.batch;

import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.BucketReport;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.examples.batch.BatchJob.Outcome;
import dev.millrace.examples.common.LocalTable;
import dev.millrace.examples.common.Terminal;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A job that has too little time, and the next one, which finds what is left and ends it. */
final class Main {
  static final int DOCUMENTS = 200;

  private static final Duration FIRST_TIME = Duration.ofSeconds(2);
  private static final Duration SECOND_TIME = Duration.ofMinutes(2);
  private static final int SHOWN = 5;

  private final PrintStream out;
  private final BatchJob job;

  private Main(PrintStream out, BatchJob job) {
    this.out = out;
    this.job = job;
  }

  /** Needs no arguments. */
  public static void main(String[] args) throws InterruptedException {
    show(System.out);
  }

  /** Shows it, and returns what the two runs came to. */
  static List<Outcome> show(PrintStream out) throws InterruptedException {
    LimiterOptions options = LimiterOptions.builder().timeout(LocalTable.TIMEOUT).build();
    try (LocalTable table = LocalTable.create("batch");
        RateLimiter limiter = RateLimiter.create(table.store(), options)) {
      Main main = new Main(out, new BatchJob(limiter, new Summariser()));
      List<Outcome> outcomes = main.twice();
      main.compare(outcomes, table.store());
      return outcomes;
    }
  }

  private static List<Document> documents() {
    Random chance = new Random(DOCUMENTS);
    return IntStream.rangeClosed(1, DOCUMENTS)
        .mapToObj(number -> new Document(number, chance.nextLong(200, 800)))
        .toList();
  }

  private List<Outcome> twice() throws InterruptedException {
    out.printf(
        "%d documents; the service admits %d calls and %,d tokens a second.%n",
        DOCUMENTS, tokens(BatchJob.CALLS.capacityMilli()), tokens(BatchJob.TOKENS.capacityMilli()));
    Outcome first = run("First run", documents(), FIRST_TIME);
    Outcome second = run("Second run, of what was left", first.left(), SECOND_TIME);
    return List.of(first, second);
  }

  private Outcome run(String title, Collection<Document> documents, Duration time)
      throws InterruptedException {
    out.printf("%n%s, with %d s to its deadline%n", title, time.toSeconds());
    ProgressBar progress = new ProgressBar(out, Terminal.is(out), documents.size());
    Outcome outcome = job.run(documents, time, progress);
    progress.end();
    out.printf(
        "  done %d, left %d; calls that failed, were given back and made again: %d%n",
        outcome.done().size(), outcome.left().size(), outcome.failures());
    out.printf(
        "  charged %,d tokens before the calls, settled to the %,d that they cost%n",
        outcome.chargedTokens(), outcome.realTokens());
    if (!outcome.left().isEmpty()) {
      out.printf("  not lost: %s%n", names(outcome.left()));
    }
    return outcome;
  }

  private static String names(List<Document> documents) {
    String first =
        documents.stream().limit(SHOWN).map(Document::name).collect(Collectors.joining(", "));
    int more = documents.size() - SHOWN;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  /** The bucket has counted every call and token; it must come to the same. */
  private void compare(List<Outcome> outcomes, BlockingStore store) {
    AdminOptions options = AdminOptions.builder("example").timeout(LocalTable.TIMEOUT).build();
    try (Admin admin = Admin.of(store, options)) {
      BucketReport bucket =
          admin
              .in(LimiterOptions.DEFAULT_NAMESPACE)
              .buckets()
              .get(BatchJob.ENTITY, BatchJob.RESOURCE)
              .orElseThrow();
      out.printf(
          "%nThe job counts %,d calls and %,d tokens; the bucket %,d and %,d.%n",
          outcomes.stream().mapToInt(outcome -> outcome.done().size()).sum(),
          outcomes.stream().mapToLong(Outcome::realTokens).sum(),
          consumed(bucket, BatchJob.CALLS),
          consumed(bucket, BatchJob.TOKENS));
    }
  }

  private static long consumed(BucketReport bucket, Limit limit) {
    return bucket.limits().stream()
        .filter(balance -> balance.limit().name().equals(limit.name()))
        .mapToLong(balance -> tokens(balance.consumedMilli()))
        .sum();
  }

  private static long tokens(long milli) {
    return milli / Limit.MILLI;
  }
}
