package dev.millrace.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.testing.Bill;
import dev.millrace.llm.testing.Books;
import dev.millrace.llm.testing.FakeProvider;
import dev.millrace.llm.testing.MeterOnDynamo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.api.OpenAiApi;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.web.client.RestClient;
import reactor.core.publisher.Mono;

/** Whatever becomes of a call, the table counts what the provider bills, to the token. */
class LedgerEqualsBillIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Mono<Long> GIVE_UP = Mono.delay(Duration.ofMillis(100));

  private static FakeProvider provider;
  private static MeterOnDynamo metered;
  private static Books books;

  @BeforeAll
  static void start() {
    provider = FakeProvider.start();
    metered = MeterOnDynamo.start("spring-ai");
    books = metered.books();
  }

  @AfterAll
  static void stop() {
    metered.close();
    provider.close();
  }

  private static MeteringAdvisor advisor() {
    return MeteringAdvisor.of(metered.meter()).usage(LedgerEqualsBillIT::withCached);
  }

  private static LlmUsage withCached(org.springframework.ai.chat.metadata.Usage said) {
    LlmUsage usage = LlmUsage.of(said.getPromptTokens(), said.getCompletionTokens());
    return said.getNativeUsage() instanceof OpenAiApi.Usage own
            && own.promptTokensDetails() != null
            && own.promptTokensDetails().cachedTokens() != null
        ? usage.withCached(own.promptTokensDetails().cachedTokens())
        : usage;
  }

  private static ChatClient client(String tenant, RestClient.Builder http, Advisor... others) {
    OpenAiChatModel model =
        OpenAiChatModel.builder()
            .openAiApi(
                OpenAiApi.builder()
                    .baseUrl(provider.url())
                    .apiKey(tenant)
                    .restClientBuilder(http)
                    .build())
            .defaultOptions(
                OpenAiChatOptions.builder()
                    .model(FakeProvider.CHAT_MODEL)
                    .streamUsage(true)
                    .build())
            .retryTemplate(RetryTemplate.builder().maxAttempts(1).build())
            .build();
    return ChatClient.builder(model)
        .defaultAdvisors(advisor())
        .defaultAdvisors(others)
        .defaultAdvisors(spec -> spec.param(MeteringAdvisor.ENTITY, tenant))
        .build();
  }

  private static ChatClient client(String tenant, Advisor... others) {
    return client(tenant, RestClient.builder(), others);
  }

  private static String call(ChatClient client, String question) {
    String answer = client.prompt().user(question).call().content();
    assertThat(answer).isNotNull();
    return answer;
  }

  private static String stream(ChatClient client, String question) {
    List<String> pieces =
        client.prompt().user(question).stream().content().collectList().block(PATIENCE);
    assertThat(pieces).isNotNull();
    return String.join("", pieces);
  }

  private static void requireEqual(String tenant) {
    books.requireEqual(tenant, FakeProvider.CHAT_MODEL, provider.bill(tenant));
  }

  @Test
  void call_answeredWithUsage_isSettledWithIt() {
    ChatClient client = client("usage");

    for (int words : new int[] {3, 40, 400}) {
      assertThat(call(client, "tell me more [words " + words + "] [cached 2]"))
          .isEqualTo(FakeProvider.answer(words));
    }

    assertThat(provider.bill("usage").requests()).isEqualTo(3);
    assertThat(provider.bill("usage").cachedTokens()).isEqualTo(6);
    requireEqual("usage");
  }

  @Test
  void call_answeredWithoutUsage_isCounted() {
    assertThat(call(client("silent"), "say no more [silent] [words 33]")).isNotEmpty();

    assertThat(provider.bill("silent").outputTokens()).isPositive();
    requireEqual("silent");
  }

  @Test
  void call_failed_isGivenBack() {
    ChatClient client = client("failing");

    assertThatThrownBy(() -> call(client, "[fail]")).isInstanceOf(RuntimeException.class);

    assertThat(books.consumed("failing", FakeProvider.CHAT_MODEL)).isEqualTo(books.due(Bill.NONE));
    call(client, "now do it");
    requireEqual("failing");
  }

  /**
   * Gives up, as the client of the JDK does, when the provider has begun. A timer would give up at
   * another moment on a machine that stalls, perhaps before anything was asked.
   */
  private static ClientHttpResponse givingUp(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
      throws HttpTimeoutException {
    var unused =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return execution.execute(request, body);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            Books.apart());
    Books.await("the provider has billed", () -> provider.bill("late").requests() == 1);
    throw new HttpTimeoutException("request timed out");
  }

  @Test
  void call_timedOut_isChargedForItsInput() {
    ChatClient client =
        client("late", RestClient.builder().requestInterceptor(LedgerEqualsBillIT::givingUp));

    assertThatThrownBy(() -> call(client, "take your time [stall]"))
        .hasRootCauseInstanceOf(HttpTimeoutException.class);

    assertThat(provider.bill("late").inputTokens()).isPositive();
    requireEqual("late");
  }

  /** Two tools that ask the model themselves. */
  static final class Places {
    private final ChatClient client;

    Places(ChatClient client) {
      this.client = client;
    }

    @Tool(name = "look_up", description = "Looks a place up.")
    String lookUp(String place) {
      // Two at once: what a tool does while others do the same.
      return CompletableFuture.supplyAsync(() -> call(client, "where is " + place), Books.apart())
          .thenCombine(
              CompletableFuture.supplyAsync(() -> call(client, "what is " + place), Books.apart()),
              (where, what) -> where + what)
          .join();
    }
  }

  @Test
  void call_parallelToolCalls_areEachMetered() {
    ChatClient plain = client("tools");
    ChatClient client = client("tools", ToolCallAdvisor.builder().build());

    String answer =
        client.prompt().user("where is it? [tools 2]").tools(new Places(plain)).call().content();

    assertThat(answer).isNotEmpty();
    assertThat(provider.bill("tools").requests()).isEqualTo(6);
    requireEqual("tools");
  }

  /** The guide says so: the model adds up what its own loop over tools uses. */
  @Test
  void call_toolsInsideTheModel_haveAllTheirTokensAndOneRequest() {
    ChatClient plain = client("inside");

    plain.prompt().user("where is it? [tools 1]").tools(new Places(plain)).call().content();

    Bill bill = provider.bill("inside");
    assertThat(bill.requests()).isEqualTo(4);
    assertThat(books.consumed("inside", FakeProvider.CHAT_MODEL))
        .isEqualTo(
            books.due(new Bill(3, bill.inputTokens(), bill.cachedTokens(), bill.outputTokens())));
  }

  @Test
  void stream_answeredWithUsage_isSettledWithIt() {
    assertThat(stream(client("stream"), "go on [words 60]")).isEqualTo(FakeProvider.answer(60));

    requireEqual("stream");
  }

  @Test
  void stream_answeredWithoutUsage_isCounted() {
    assertThat(stream(client("stream-silent"), "go on [words 25] [silent]"))
        .isEqualTo(FakeProvider.answer(25));

    requireEqual("stream-silent");
  }

  @Test
  void stream_cancelled_isChargedForWhatCame() {
    List<String> pieces =
        client("stream-cancelled").prompt().user("go on and on [stall-after 12]").stream()
            .content()
            .take(12)
            .collectList()
            .block(PATIENCE);

    assertThat(String.join("", pieces)).isEqualTo(FakeProvider.answer(12));
    assertThat(provider.bill("stream-cancelled").outputTokens())
        .isEqualTo(provider.tokens(FakeProvider.answer(12)));
    Books.await(
        "the cancelled stream is settled",
        () ->
            books
                .consumed("stream-cancelled", FakeProvider.CHAT_MODEL)
                .equals(books.due(provider.bill("stream-cancelled"))));
  }

  @Test
  void stream_timedOut_isChargedForWhatCame() {
    assertThatThrownBy(
            () ->
                client("stream-late").prompt().user("take your time [stall-after 5]").stream()
                    .content()
                    .index()
                    .timeout(Mono.never(), piece -> piece.getT1() < 4 ? Mono.never() : GIVE_UP)
                    .blockLast(PATIENCE))
        .hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);

    Books.await(
        "the stream that took too long is settled",
        () ->
            provider.bill("stream-late").requests() == 1
                && books
                    .consumed("stream-late", FakeProvider.CHAT_MODEL)
                    .equals(books.due(provider.bill("stream-late"))));
  }

  @Test
  void stream_failed_isGivenBack() {
    assertThatThrownBy(() -> stream(client("stream-failing"), "[fail]"))
        .isInstanceOf(RuntimeException.class);

    requireEqual("stream-failing");
  }
}
