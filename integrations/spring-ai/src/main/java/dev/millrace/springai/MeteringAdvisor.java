package dev.millrace.springai;

import dev.millrace.llm.CallEnd;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.MeteredCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * An advisor that meters every call of a chat client: it reserves the expected usage, and settles
 * the real usage. A call that does not fit fails with {@link
 * dev.millrace.RateLimitExceededException}, after the wait that the meter allows.
 *
 * <p>It is the last advisor before the model, so that an advisor that calls the model again, for a
 * retry or with the results of tools, is metered each time, as the provider bills it. Streams never
 * wait for the limiter on their own threads.
 */
public final class MeteringAdvisor implements CallAdvisor, StreamAdvisor {
  /** The parameter of a prompt that names the charged entity. */
  public static final String ENTITY = "millrace.entity";

  /** The last place before the model itself. */
  public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1;

  private final LlmMeter meter;
  private final PromptCalls prompts;
  private final int order;

  private MeteringAdvisor(LlmMeter meter, PromptCalls prompts, int order) {
    this.meter = meter;
    this.prompts = prompts;
    this.order = order;
  }

  /** An advisor with {@code meter}; the parameter {@link #ENTITY} names the charged entity. */
  public static MeteringAdvisor of(LlmMeter meter) {
    return new MeteringAdvisor(meter, PromptCalls.DEFAULT, DEFAULT_ORDER);
  }

  /** The same charging {@code entityId} for every call. */
  public MeteringAdvisor entity(String entityId) {
    return entity(request -> entityId);
  }

  /** The same with another charged entity of a call, instead of the parameter {@link #ENTITY}. */
  public MeteringAdvisor entity(Function<ChatClientRequest, String> ofCall) {
    return with(new PromptCalls(ofCall, prompts.model(), prompts.resource(), prompts.usage()));
  }

  /** The same with the model of prompts whose options do not name one. */
  public MeteringAdvisor model(String name) {
    return with(new PromptCalls(prompts.entity(), name, prompts.resource(), prompts.usage()));
  }

  /** The same with another resource for each model; by default it has the model's name. */
  public MeteringAdvisor resource(UnaryOperator<String> ofModel) {
    return with(new PromptCalls(prompts.entity(), prompts.model(), ofModel, prompts.usage()));
  }

  /**
   * The same with another extraction of the usage from a response. By default the input counts in
   * full: cached tokens are reported by types of the provider's own module.
   */
  public MeteringAdvisor usage(Function<Usage, LlmUsage> ofResponse) {
    return with(new PromptCalls(prompts.entity(), prompts.model(), prompts.resource(), ofResponse));
  }

  /** The same at another place among the advisors. */
  public MeteringAdvisor order(int place) {
    return new MeteringAdvisor(meter, prompts, place);
  }

  private MeteringAdvisor with(PromptCalls changed) {
    return new MeteringAdvisor(meter, changed, order);
  }

  @Override
  public String getName() {
    return "millrace";
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
    return meter.call(
        prompts.callOf(request),
        () -> chain.nextCall(request),
        response -> prompts.endOf(response.chatResponse()));
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    return Flux.usingWhen(
            begin(request),
            call -> {
              ObservedStream stream = new ObservedStream(call);
              return chain
                  .nextStream(request)
                  .doOnNext(response -> stream.observe(response.chatResponse()))
                  .concatWith(end(call, stream::end).cast(ChatClientResponse.class));
            },
            call -> Mono.empty(),
            (call, failure) -> end(call, () -> call.endOf(failure)),
            call -> end(call, CallEnd::cancelled))
        .doOnDiscard(
            MeteredCall.class,
            call -> {
              var unused = call.endQuietlyAsync(CallEnd::nothingUsed);
            });
  }

  private Mono<MeteredCall> begin(ChatClientRequest request) {
    return onBlockingThread(() -> meter.beginAsync(prompts.callOf(request)));
  }

  private static Mono<Void> end(MeteredCall call, Supplier<CallEnd> how) {
    return onBlockingThread(() -> call.endQuietlyAsync(how));
  }

  /**
   * Runs {@code work} on a thread that may block, as a blocking limiter does. Cancelling does not
   * interrupt it: a write that is under way is completed.
   */
  private static <T extends @Nullable Object> Mono<T> onBlockingThread(
      Supplier<CompletionStage<T>> work) {
    return Mono.fromFuture(
        () ->
            CompletableFuture.supplyAsync(work, Schedulers.boundedElastic()::schedule)
                .thenCompose(Function.identity()),
        /* suppressCancel= */ true);
  }

  /** The usage of a stream. Chunks come one after the other. */
  private final class ObservedStream {
    private final MeteredCall call;

    /** The last chunk with usage; each covers all chunks before it. */
    private volatile @Nullable ChatResponse reported;

    ObservedStream(MeteredCall call) {
      this.call = call;
    }

    void observe(@Nullable ChatResponse response) {
      if (response != null) {
        call.produced(PromptCalls.textOf(response));
        if (PromptCalls.reportsUsage(response)) {
          reported = response;
        }
      }
    }

    CallEnd end() {
      return reported == null ? CallEnd.answered() : prompts.endOf(reported);
    }
  }
}
