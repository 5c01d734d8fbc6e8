package dev.millrace.llm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Calls as a gateway sees them, made from a seed: tenants with habits of their own, four kinds of
 * prompts, answers whose lengths are lognormal, habits that drift, and a model that grows talkative
 * halfway. How long an answer may be is asked as applications ask it: generously.
 */
final class Workload {
  static final int TENANTS = 12;
  static final List<String> MODELS = List.of("model-a", "model-b");

  private static final double MEAN_GAP_MS = 120;
  private static final double DRIFT = 0.004;
  private static final double TALKATIVE = 1.6;
  private static final double MS_PER_TOKEN = 15;
  private static final double FIRST_TOKEN_MS = 400;

  /**
   * One call and what became of it.
   *
   * @param atMs when it was made
   * @param durationMs how long it took
   */
  record Sample(LlmCall call, long inputTokens, long outputTokens, long atMs, long durationMs) {}

  /** What a prompt is for: the medians of what goes in and out, and how much that varies. */
  private enum Task {
    CLASSIFY(300, 8, 0.4, 256),
    CHAT(900, 160, 0.7, 2_048),
    SUMMARISE(4_000, 320, 0.5, 2_048),
    CODE(1_500, 800, 0.8, 4_096);

    final double input;
    final double output;
    final double spread;
    final long max;

    Task(double input, double output, double spread, long max) {
      this.input = input;
      this.output = output;
      this.spread = spread;
      this.max = max;
    }
  }

  private Workload() {}

  static List<Sample> of(long seed, int calls) {
    Random random = new Random(seed);
    double[] habit = new double[TENANTS];
    double[][] mix = new double[TENANTS][Task.values().length];
    boolean[] lavish = new boolean[TENANTS];
    for (int t = 0; t < TENANTS; t++) {
      habit[t] = StrictMath.exp(0.5 * random.nextGaussian());
      lavish[t] = random.nextInt(3) == 0; // asks for the most whatever it is for
      for (int k = 0; k < mix[t].length; k++) {
        double share = random.nextDouble();
        mix[t][k] = share * share * share; // most tenants do mostly one thing
      }
    }
    List<Sample> samples = new ArrayList<>(calls);
    double atMs = 0;
    for (int i = 0; i < calls; i++) {
      atMs -= MEAN_GAP_MS * StrictMath.log(1 - random.nextDouble());
      int tenant = random.nextInt(TENANTS);
      Task task = pick(mix[tenant], random);
      int model = random.nextInt(MODELS.size());
      habit[tenant] *= StrictMath.exp(DRIFT * random.nextGaussian());
      double talk = model == 0 && i > calls / 2 ? TALKATIVE : 1;
      double varied = StrictMath.exp(task.spread * random.nextGaussian());
      long max = lavish[tenant] ? Task.CODE.max : task.max;
      long output = Math.min(max, 1 + (long) (task.output * habit[tenant] * talk * varied));
      long input = 1 + (long) (task.input * StrictMath.exp(0.3 * random.nextGaussian()));
      LlmCall call =
          LlmCall.chat("tenant-" + tenant, MODELS.get(model)).maxOutputTokens(max).build();
      samples.add(
          new Sample(
              call, input, output, (long) atMs, (long) (FIRST_TOKEN_MS + MS_PER_TOKEN * output)));
    }
    return samples;
  }

  private static Task pick(double[] mix, Random random) {
    double sum = 0;
    for (double share : mix) {
      sum += share;
    }
    double left = random.nextDouble() * sum;
    Task[] tasks = Task.values();
    for (int i = 0; i < tasks.length; i++) {
      left -= mix[i];
      if (left < 0) {
        return tasks[i];
      }
    }
    return Task.CODE;
  }
}
