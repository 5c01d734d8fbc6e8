package dev.millrace.llm;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * An experiment on the quality of estimates: the amount reserved in excess, the frequency of too
 * small reservations, and the number of refused calls that would have fitted. Run by a test and,
 * with {@code main}, by hand; prints the table of {@code docs/guide/llm.md}.
 */
public final class EstimatorExperiment {
  static final long SEED = 20_261_116;
  static final int CALLS = 20_000;

  /** The limit on output of each tenant, beside what it really uses. */
  private static final double HEADROOM = 1.1;

  private static final double MINUTE_MS = 60_000;

  private EstimatorExperiment() {}

  /**
   * What came out for one way to estimate.
   *
   * @param overPercent output tokens reserved in vain, of those used
   * @param underPercent output tokens used beyond what was reserved, of those used
   * @param abovePercent calls that used more than was reserved
   * @param needlessPercent calls refused although what they use would have fitted
   */
  record Result(
      String name,
      double overPercent,
      double underPercent,
      double abovePercent,
      double needlessPercent) {
    String row() {
      return String.format(
          Locale.ROOT,
          "| %s | %.0f %% | %.1f %% | %.1f %% | %.1f %% |",
          name,
          overPercent,
          underPercent,
          abovePercent,
          needlessPercent);
    }
  }

  /** The three ways, on the same calls. */
  static List<Result> run(long seed) {
    List<Workload.Sample> samples = Workload.of(seed, CALLS);
    return List.of(
        measure("learned quantile", new LearnedOutput(), samples),
        measure("`max_tokens` of the request", new MaxTokens(), samples),
        measure("last answer of tenant and model", new LastValue(), samples));
  }

  /** The rows of the table, for the seed of the guide. */
  public static String table() {
    StringBuilder rows = new StringBuilder();
    run(SEED).forEach(result -> rows.append(result.row()).append('\n'));
    return rows.toString();
  }

  /** Prints the table. */
  public static void main(String[] args) {
    System.out.print(table());
  }

  /** A way to say what comes out; what goes in is known. */
  interface Output {
    long expect(LlmCall call, long inputTokens);

    default void observe(LlmCall call, long inputTokens, long outputTokens) {}
  }

  private static final class LearnedOutput implements Output {
    private final LearnedOutputs outputs = new LearnedOutputs(LearnedOutputs.DEFAULT_QUANTILE);

    @Override
    public long expect(LlmCall call, long inputTokens) {
      return outputs.expect(call, inputTokens);
    }

    @Override
    public void observe(LlmCall call, long inputTokens, long outputTokens) {
      outputs.observe(call, inputTokens, outputTokens);
    }
  }

  private static final class MaxTokens implements Output {
    @Override
    public long expect(LlmCall call, long inputTokens) {
      Long max = call.maxOutputTokens();
      return max == null ? LearnedOutputs.UNKNOWN_OUTPUT : max;
    }
  }

  private static final class LastValue implements Output {
    private final Map<String, Long> last = new HashMap<>();

    @Override
    public long expect(LlmCall call, long inputTokens) {
      return last.getOrDefault(call.entityId() + call.model(), LearnedOutputs.UNKNOWN_OUTPUT);
    }

    @Override
    public void observe(LlmCall call, long inputTokens, long outputTokens) {
      last.put(call.entityId() + call.model(), outputTokens);
    }
  }

  private static Result measure(String name, Output output, List<Workload.Sample> samples) {
    long used = 0;
    long over = 0;
    long under = 0;
    int above = 0;
    Deque<Workload.Sample> answered = new ArrayDeque<>();
    PriorityQueue<Workload.Sample> open =
        new PriorityQueue<>(Comparator.comparingLong(s -> s.atMs() + s.durationMs()));
    Map<String, Tenant> tenants = tenants(samples);
    int needless = 0;
    for (Workload.Sample sample : samples) {
      learn(output, open, answered, sample.atMs());
      long expected = output.expect(sample.call(), sample.inputTokens());
      long actual = sample.outputTokens();
      used += actual;
      over += Math.max(0, expected - actual);
      under += Math.max(0, actual - expected);
      above += actual > expected ? 1 : 0;
      open.add(sample);
      Tenant tenant = Objects.requireNonNull(tenants.get(sample.call().entityId()));
      needless += tenant.refusesNeedlessly(sample, expected) ? 1 : 0;
    }
    return new Result(
        name,
        100.0 * over / used,
        100.0 * under / used,
        100.0 * above / samples.size(),
        100.0 * needless / samples.size());
  }

  /** An answer teaches when it is there, not when it is asked for. */
  private static void learn(
      Output output,
      PriorityQueue<Workload.Sample> open,
      Deque<Workload.Sample> answered,
      long nowMs) {
    while (!open.isEmpty() && open.peek().atMs() + open.peek().durationMs() <= nowMs) {
      answered.add(open.poll());
    }
    while (!answered.isEmpty()) {
      Workload.Sample sample = answered.poll();
      output.observe(sample.call(), sample.inputTokens(), sample.outputTokens());
    }
  }

  /** Limits that leave each tenant some headroom over what it uses in all. */
  private static Map<String, Tenant> tenants(List<Workload.Sample> samples) {
    Map<String, Long> tokens = new HashMap<>();
    for (Workload.Sample sample : samples) {
      tokens.merge(sample.call().entityId(), sample.outputTokens(), Long::sum);
    }
    double lastsMs = samples.get(samples.size() - 1).atMs();
    Map<String, Tenant> tenants = new HashMap<>();
    tokens.forEach((id, sum) -> tenants.put(id, new Tenant(HEADROOM * sum / lastsMs)));
    return tenants;
  }

  /**
   * A limit on output twice: as it is with reservations, and as it would be if every call that
   * passed had been charged at once what it used.
   */
  private static final class Tenant {
    private final double tokensPerMs;
    private final double burst;
    private double balance;
    private double fair;
    private long atMs;
    private final PriorityQueue<double[]> settlements =
        new PriorityQueue<>(Comparator.comparingDouble(s -> s[0]));

    Tenant(double tokensPerMs) {
      this.tokensPerMs = tokensPerMs;
      this.burst = tokensPerMs * MINUTE_MS;
      this.balance = burst;
      this.fair = burst;
    }

    boolean refusesNeedlessly(Workload.Sample sample, long expected) {
      while (!settlements.isEmpty() && settlements.peek()[0] <= sample.atMs()) {
        double[] settlement = settlements.poll();
        advance((long) settlement[0]);
        balance = Math.min(burst, balance + settlement[1]);
      }
      advance(sample.atMs());
      double reserved = Math.min((double) expected, burst);
      if (reserved > balance) {
        return sample.outputTokens() <= fair;
      }
      balance -= reserved;
      fair -= sample.outputTokens();
      settlements.add(
          new double[] {sample.atMs() + sample.durationMs(), reserved - sample.outputTokens()});
      return false;
    }

    private void advance(long nowMs) {
      double credit = (nowMs - atMs) * tokensPerMs;
      balance = Math.min(burst, balance + credit);
      fair = Math.min(burst, fair + credit);
      atMs = nowMs;
    }
  }
}
