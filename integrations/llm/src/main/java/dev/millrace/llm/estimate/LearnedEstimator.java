package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmUsage;

/**
 * An estimator that counts the input and learns the output. Where the vocabulary of a model is not
 * known, it also learns the ratio of real to counted input tokens.
 */
public final class LearnedEstimator implements CostEstimator {
  private final TokenCounter counter;
  private final LearnedOutputs outputs;
  private final InputRatios ratios = new InputRatios();

  /** An estimator that counts with {@code counter} and learns into {@code outputs}. */
  public LearnedEstimator(TokenCounter counter, LearnedOutputs outputs) {
    this.counter = counter;
    this.outputs = outputs;
  }

  @Override
  public Estimate estimate(LlmCall call) {
    long counted = InputTokens.of(call, counter);
    long input = counter.isExact(call.model()) ? counted : ratios.improve(call.model(), counted);
    return new Estimate(input, call.kind() == LlmCall.Kind.CHAT ? outputs.expect(call, input) : 0);
  }

  @Override
  public void observe(LlmCall call, Estimate estimate, LlmUsage usage) {
    if (!counter.isExact(call.model())) {
      ratios.observe(call.model(), InputTokens.of(call, counter), usage.inputTokens());
    }
    if (call.kind() == LlmCall.Kind.CHAT) {
      outputs.observe(call, estimate.inputTokens(), usage.outputTokens());
    }
  }
}
