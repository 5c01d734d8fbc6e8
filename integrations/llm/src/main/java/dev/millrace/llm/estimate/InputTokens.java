package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmCall;

/** Counts what goes in. */
final class InputTokens {
  /** What a chat adds to each message: its role and what separates it from the next. */
  private static final long PER_MESSAGE = 4;

  /** With what every answer begins. */
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
