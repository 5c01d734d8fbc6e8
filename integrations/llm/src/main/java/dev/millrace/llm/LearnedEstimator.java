package dev.millrace.llm;

/**
 * An estimator that counts the input and learns the output. Where the vocabulary of a model is not
 * known, it also learns the ratio of real to counted input tokens.
 */
final class LearnedEstimator implements CostEstimator {
  /** The tokens that a chat adds to each message: its role and its separator. */
  private static final long PER_MESSAGE = 4;

  /** The tokens with which every answer begins. */
  private static final long PER_CHAT = 3;

  private final TokenCounter counter;
  private final LearnedOutputs outputs;
  private final InputRatios ratios = new InputRatios();

  LearnedEstimator(TokenCounter counter, double quantile) {
    this.counter = counter;
    this.outputs = new LearnedOutputs(quantile);
  }

  @Override
  public LlmUsage estimate(LlmCall call) {
    long counted = inputTokens(call, counter);
    long input = counter.isExact(call.model()) ? counted : ratios.improve(call.model(), counted);
    return LlmUsage.of(input, call.kind() == LlmCall.Kind.CHAT ? outputs.expect(call, input) : 0);
  }

  @Override
  public void observe(LlmCall call, LlmUsage estimate, LlmUsage usage) {
    if (!counter.isExact(call.model())) {
      ratios.observe(call.model(), inputTokens(call, counter), usage.inputTokens());
    }
    if (call.kind() == LlmCall.Kind.CHAT) {
      outputs.observe(call, estimate.inputTokens(), usage.outputTokens());
    }
  }

  /** The input of {@code call} as {@code counter} counts it. */
  static long inputTokens(LlmCall call, TokenCounter counter) {
    long tokens = 0;
    for (String text : call.messages()) {
      tokens += counter.count(call.model(), text);
    }
    for (String tool : call.tools()) {
      tokens += counter.count(call.model(), tool);
    }
    return call.kind() == LlmCall.Kind.CHAT
        ? tokens + PER_MESSAGE * call.messages().size() + PER_CHAT
        : tokens;
  }
}
