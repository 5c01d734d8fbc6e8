package dev.millrace.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.millrace.llm.meter.CallEnd;
import dev.millrace.llm.meter.MeteredCall;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The observer of a stream for a meter, in every way that a stream is delivered. */
final class StreamMeter {
  private final MeteredCall call;
  private final MeteredModels metering;

  /** Tool calls that arrived in parts; their complete form is not counted again. */
  private final Set<Integer> piecemeal = ConcurrentHashMap.newKeySet();

  StreamMeter(MeteredCall call, MeteredModels metering) {
    this.call = call;
    this.metering = metering;
  }

  void text(String piece) {
    call.produced(piece);
  }

  void tool(PartialToolCall piece) {
    if (piecemeal.add(piece.index()) && piece.name() != null) {
      call.produced(piece.name());
    }
    call.produced(piece.partialArguments());
  }

  void tool(CompleteToolCall whole) {
    if (!piecemeal.contains(whole.index())) {
      ToolExecutionRequest tool = whole.toolExecutionRequest();
      call.produced(tool.name() + tool.arguments());
    }
  }

  /** Settles, then runs {@code next}: a receiver of the end can rely on the settlement. */
  void complete(ChatResponse response, Runnable next) {
    end(() -> ModelCalls.endOf(response, metering), next);
  }

  void fail(Throwable failure, Runnable next) {
    end(() -> call.endOf(failure), next);
  }

  void cancel() {
    end(CallEnd::cancelled, () -> {});
  }

  private void end(Supplier<CallEnd> how, Runnable next) {
    CompletableFuture<Void> ended = call.endQuietlyAsync(how).toCompletableFuture();
    if (ended.isDone()) {
      next.run(); // here, so that an exception of the handler goes to the library
    } else {
      var unused = ended.whenComplete((done, never) -> next.run());
    }
  }
}
