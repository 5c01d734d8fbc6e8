package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmCall;
import dev.millrace.llm.Usage;

/** Counts what goes in and learns what comes out. */
public final class LearnedEstimator implements CostEstimator {
  private final TokenCounter counter;
  private final LearnedOutputs outputs;

  /** One that counts with {@code counter} and learns into {@code outputs}. */
  public LearnedEstimator(TokenCounter counter, LearnedOutputs outputs) {
    this.counter = counter;
    this.outputs = outputs;
  }

  @Override
  public Estimate estimate(LlmCall call) {
    long input = InputTokens.of(call, counter);
    return new Estimate(input, call.kind() == LlmCall.Kind.CHAT ? outputs.expect(call, input) : 0);
  }

  @Override
  public void observe(LlmCall call, Estimate estimate, Usage usage) {
    if (call.kind() == LlmCall.Kind.CHAT) {
      outputs.observe(call, estimate.inputTokens(), usage.outputTokens());
    }
  }
}
