package dev.millrace.springai;

import dev.millrace.llm.meter.CallEnd;
import dev.millrace.llm.meter.MeteredCall;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;

/** The observer of a stream for a meter. Chunks come one after the other. */
final class StreamUsageObserver {
  private final MeteredCall call;
  private final PromptCalls prompts;

  /** The last chunk with usage; each covers all chunks before it. */
  private volatile @Nullable ChatResponse said;

  StreamUsageObserver(MeteredCall call, PromptCalls prompts) {
    this.call = call;
    this.prompts = prompts;
  }

  void piece(@Nullable ChatResponse response) {
    if (response == null) {
      return;
    }
    call.produced(PromptCalls.textOf(response));
    if (PromptCalls.isSaid(response)) {
      said = response;
    }
  }

  CallEnd end() {
    return said == null ? CallEnd.answered() : prompts.endOf(said);
  }
}
