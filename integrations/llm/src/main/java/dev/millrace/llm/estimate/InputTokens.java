package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmCall;

/** A counter of input tokens. */
final class InputTokens {
  /** The tokens that a chat adds to each message: its role and its separator. */
  private static final long PER_MESSAGE = 4;

  /** The tokens with which every answer begins. */
  private static final long PER_CHAT = 3;

  private InputTokens() {}

  static long of(LlmCall call, TokenCounter counter) {
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
