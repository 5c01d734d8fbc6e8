package dev.millrace.springai;

import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.meter.CallEnd;
import dev.millrace.llm.meter.LlmMeter;
import dev.millrace.llm.meter.MeteredCall;
import java.util.concurrent.CompletionException;
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

  private MeteringAdvisor(Builder builder) {
    this.meter = builder.meter;
    this.prompts = new PromptCalls(builder.entity, builder.model, builder.resource, builder.usage);
    this.order = builder.order;
  }

  /** An advisor with {@code meter}; the parameter {@link #ENTITY} names the charged entity. */
  public static Builder builder(LlmMeter meter) {
    return new Builder(meter);
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
              StreamUsageObserver reading = new StreamUsageObserver(call, prompts);
              return chain
                  .nextStream(request)
                  .doOnNext(response -> reading.piece(response.chatResponse()))
                  .concatWith(end(call, reading::end).cast(ChatClientResponse.class));
            },
            call -> Mono.empty(),
            (call, failure) -> end(call, () -> call.endOf(failure)),
            call -> end(call, CallEnd::cancelled))
        .doOnDiscard(
            MeteredCall.class,
            call -> {
              var unused = call.endQuietlyAsync(CallEnd.nothingUsed());
            });
  }

  private Mono<MeteredCall> begin(ChatClientRequest request) {
    return apart(() -> meter.beginAsync(prompts.callOf(request)));
  }

  private static Mono<Void> end(MeteredCall call, Supplier<CallEnd> how) {
    return apart(() -> call.endQuietlyAsync(how));
  }

  /**
   * Runs {@code work} on a thread that may block, as a blocking limiter does. Cancelling does not
   * interrupt it: a write that is under way is completed.
   */
  private static <T extends @Nullable Object> Mono<T> apart(Supplier<CompletionStage<T>> work) {
    return Mono.create(
        sink -> {
          var unusedTask =
              Schedulers.boundedElastic()
                  .schedule(
                      () -> {
                        try {
                          var unused =
                              work.get()
                                  .whenComplete(
                                      (done, failure) -> {
                                        if (failure == null) {
                                          sink.success(done);
                                        } else {
                                          sink.error(unwrapped(failure));
                                        }
                                      });
                        } catch (RuntimeException e) {
                          sink.error(e);
                        }
                      });
        });
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** A builder of advisors. */
  public static final class Builder {
    private final LlmMeter meter;
    private Function<ChatClientRequest, String> entity = PromptCalls::entityParameter;
    private @Nullable String model;
    private UnaryOperator<String> resource = UnaryOperator.identity();
    private Function<org.springframework.ai.chat.metadata.Usage, LlmUsage> usage =
        PromptCalls::plainUsage;
    private int order = DEFAULT_ORDER;

    private Builder(LlmMeter meter) {
      this.meter = meter;
    }

    /** Charges {@code entityId} for every call. */
    public Builder entity(String entityId) {
      return entity(request -> entityId);
    }

    /** The charged entity of a call, instead of the parameter {@link #ENTITY}. */
    public Builder entity(Function<ChatClientRequest, String> value) {
      this.entity = value;
      return this;
    }

    /** The model of prompts whose options do not name one. */
    public Builder model(String value) {
      this.model = value;
      return this;
    }

    /** The resource of a model; by default it has the same name. */
    public Builder resource(UnaryOperator<String> ofModel) {
      this.resource = ofModel;
      return this;
    }

    /**
     * Another extraction of the usage from a response. By default the input counts in full: cached
     * tokens are reported by types of the provider's own module.
     */
    public Builder usage(Function<org.springframework.ai.chat.metadata.Usage, LlmUsage> reading) {
      this.usage = reading;
      return this;
    }

    /** The place among the advisors. */
    public Builder order(int value) {
      this.order = value;
      return this;
    }

    /** The advisor. */
    public MeteringAdvisor build() {
      return new MeteringAdvisor(this);
    }
  }
}
