package dev.millrace.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.RateLimitExceededException;
import dev.millrace.llm.CostEstimator;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.testing.Books;
import dev.millrace.llm.testing.MeterInMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.core.Ordered;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

class MeteringAdvisorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String MODEL = "mill-1";
  private static final String QUESTION = "ten chars!";

  private final AtomicInteger asked = new AtomicInteger();
  private final MeterInMemory memory = new MeterInMemory(1_000);

  /** Answers {@code answer}, in single letters when it streams, with usage 11 and 7. */
  private final ChatModel model =
      new ChatModel() {
        @Override
        public ChatResponse call(Prompt prompt) {
          asked.incrementAndGet();
          return response("answer", 11, 7);
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
          asked.incrementAndGet();
          return Flux.just(response("a", 0, 0), response("b", 0, 0), response("c", 11, 7));
        }

        @Override
        public ChatOptions getDefaultOptions() {
          return ChatOptions.builder().model(MODEL).build();
        }
      };

  private static ChatResponse response(String text, int input, int output) {
    return new ChatResponse(
        List.of(new Generation(new AssistantMessage(text))),
        ChatResponseMetadata.builder().usage(new DefaultUsage(input, output)).build());
  }

  private MeteringAdvisor advisor() {
    return MeteringAdvisor.of(memory.blocking()).entity("acme");
  }

  private long tokens() {
    return memory.tokens("acme", MODEL);
  }

  @Test
  void order_isTheLastBeforeTheModel() {
    assertThat(advisor().getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE - 1);
    assertThat(MeteringAdvisor.of(memory.blocking()).order(5).getOrder()).isEqualTo(5);
  }

  @Test
  void call_onAnAsynchronousLimiter_isMeteredToo() {
    MeteringAdvisor advisor = MeteringAdvisor.of(memory.asynchronous()).entity("acme");
    ChatClient client = ChatClient.builder(model).defaultAdvisors(advisor).build();

    client.prompt(QUESTION).call().content();
    client.prompt(QUESTION).stream().content().blockLast(PATIENCE);

    assertThat(tokens()).isEqualTo(36);
  }

  /** As a retry does. */
  private static final class Twice implements CallAdvisor {
    @Override
    public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
      chain.copy(this).nextCall(request);
      return chain.copy(this).nextCall(request);
    }

    @Override
    public String getName() {
      return "twice";
    }

    @Override
    public int getOrder() {
      return 0;
    }
  }

  @Test
  void call_askedAgainByAnotherAdvisor_isMeteredEachTime() {
    ChatClient client = ChatClient.builder(model).defaultAdvisors(advisor(), new Twice()).build();

    client.prompt(QUESTION).call().content();

    assertThat(asked).hasValue(2);
    assertThat(tokens()).isEqualTo(36);
  }

  @Test
  void refused_doesNotAskTheModel() {
    MeteringAdvisor small = MeteringAdvisor.of(new MeterInMemory(40).blocking()).entity("acme");
    ChatClient client = ChatClient.builder(model).defaultAdvisors(small).build();
    client.prompt(QUESTION).call().content();

    assertThatThrownBy(() -> client.prompt(QUESTION).call().content())
        .isInstanceOf(RateLimitExceededException.class);
    assertThatThrownBy(() -> client.prompt(QUESTION).stream().content().blockLast(PATIENCE))
        .isInstanceOf(RateLimitExceededException.class);

    assertThat(asked).hasValue(1);
  }

  @Test
  void entity_notSaid_isAnErrorThatSaysHow() {
    ChatClient client =
        ChatClient.builder(model).defaultAdvisors(MeteringAdvisor.of(memory.blocking())).build();

    assertThatThrownBy(() -> client.prompt(QUESTION).call().content())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "parameter 'millrace.entity' is null, must be the entity that pays");
  }

  @Test
  void model_notNamed_isAnErrorThatSaysHow() {
    ChatModel nameless = prompt -> response("answer", 11, 7);
    ChatClient client = ChatClient.builder(nameless).defaultAdvisors(advisor()).build();

    assertThatThrownBy(() -> client.prompt(QUESTION).call().content())
        .hasMessageStartingWith("model is not named by the options of the prompt");

    MeteringAdvisor named =
        MeteringAdvisor.of(memory.blocking()).entity("acme").model(MODEL).resource(name -> "llm");
    ChatClient.builder(nameless).defaultAdvisors(named).build().prompt(QUESTION).call().content();
    assertThat(memory.tokens("acme", "llm")).isEqualTo(18);
  }

  @Test
  void stream_cancelledWhileItIsReserved_isGivenBack() throws InterruptedException {
    CountDownLatch estimating = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CostEstimator slow =
        call -> {
          estimating.countDown();
          try {
            cancelled.await();
          } catch (InterruptedException e) {
            throw new AssertionError("who cancels must not interrupt a reservation", e);
          }
          return LlmUsage.of(10, 20);
        };
    MeteringAdvisor advisor =
        MeteringAdvisor.of(memory.builder().estimator(slow).build()).entity("acme");
    ChatClient client = ChatClient.builder(model).defaultAdvisors(advisor).build();

    Disposable reader = client.prompt(QUESTION).stream().content().subscribe();
    estimating.await();
    reader.dispose();
    cancelled.countDown();

    Books.await("it was reserved and given back", () -> memory.hasBuckets() && tokens() == 0);
    assertThat(asked).hasValue(0);
  }
}
