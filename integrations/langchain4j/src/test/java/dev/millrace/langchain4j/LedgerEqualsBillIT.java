package dev.millrace.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.testing.Bill;
import dev.millrace.llm.testing.Books;
import dev.millrace.llm.testing.FakeProvider;
import dev.millrace.llm.testing.MeterOnDynamo;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever becomes of a call, the table counts what the provider bills, to the token. */
class LedgerEqualsBillIT {
  private static FakeProvider provider;
  private static MeterOnDynamo metered;
  private static LlmMeter meter;
  private static Books books;

  @BeforeAll
  static void start() {
    provider = FakeProvider.start();
    metered = MeterOnDynamo.start("langchain4j");
    meter = metered.meter();
    books = metered.books();
  }

  @AfterAll
  static void stop() {
    metered.close();
    provider.close();
  }

  private static LlmUsage withCached(TokenUsage said) {
    OpenAiTokenUsage usage = (OpenAiTokenUsage) said;
    var details = usage.inputTokensDetails();
    Integer cached = details == null ? null : details.cachedTokens();
    return LlmUsage.of(usage.inputTokenCount(), usage.outputTokenCount())
        .withCached(cached == null ? 0 : cached);
  }

  private static ChatModel chat(String tenant) {
    return MeteredModels.of(meter, tenant)
        .usage(LedgerEqualsBillIT::withCached)
        .chat(
            OpenAiChatModel.builder()
                .baseUrl(provider.url() + "/v1")
                .apiKey(tenant)
                .modelName(FakeProvider.CHAT_MODEL)
                .maxRetries(0)
                .build());
  }

  private static StreamingChatModel streaming(String tenant) {
    return streaming(tenant, meter);
  }

  private static StreamingChatModel streaming(String tenant, LlmMeter with) {
    return MeteredModels.of(with, tenant)
        .streaming(
            OpenAiStreamingChatModel.builder()
                .baseUrl(provider.url() + "/v1")
                .apiKey(tenant)
                .modelName(FakeProvider.CHAT_MODEL)
                .build());
  }

  private static EmbeddingModel embedding(String tenant) {
    return MeteredModels.of(meter, tenant)
        .embedding(
            OpenAiEmbeddingModel.builder()
                .baseUrl(provider.url() + "/v1")
                .apiKey(tenant)
                .modelName(FakeProvider.EMBEDDING_MODEL)
                .maxRetries(0)
                .build());
  }

  private static void requireEqual(String tenant) {
    books.requireEqual(tenant, FakeProvider.CHAT_MODEL, provider.bill(tenant));
  }

  @Test
  void chat_answeredWithUsage_isSettledWithIt() {
    ChatModel model = chat("usage");

    for (int words : new int[] {3, 40, 400}) {
      String answer = model.chat("tell me more [words " + words + "] [cached 2]");
      assertThat(answer).isEqualTo(FakeProvider.answer(words));
    }

    assertThat(provider.bill("usage").requests()).isEqualTo(3);
    assertThat(provider.bill("usage").cachedTokens()).isEqualTo(6);
    requireEqual("usage");
  }

  @Test
  void chat_answeredWithoutUsage_isCounted() {
    assertThat(chat("silent").chat("say no more [silent] [words 33]")).isNotEmpty();

    assertThat(provider.bill("silent").outputTokens()).isPositive();
    requireEqual("silent");
  }

  @Test
  void chat_failed_isGivenBack() {
    ChatModel model = chat("failing");

    assertThatThrownBy(() -> model.chat("[fail]")).isInstanceOf(RuntimeException.class);

    assertThat(books.consumed("failing", FakeProvider.CHAT_MODEL)).isEqualTo(books.due(Bill.NONE));
    model.chat("now do it");
    requireEqual("failing");
  }

  @Test
  void chat_timedOut_isChargedForItsInput() {
    ChatModel model =
        MeteredModels.of(meter, "late")
            .chat(
                OpenAiChatModel.builder()
                    .httpClientBuilder(
                        new ImpatientHttp(() -> provider.bill("late").requests() == 1))
                    .baseUrl(provider.url() + "/v1")
                    .apiKey("late")
                    .modelName(FakeProvider.CHAT_MODEL)
                    .maxRetries(0)
                    .build());

    assertThatThrownBy(() -> model.chat("take your time [stall]"))
        .isInstanceOf(TimeoutException.class);

    assertThat(provider.bill("late").inputTokens()).isPositive();
    requireEqual("late");
  }

  @Test
  void chat_parallelToolCalls_areEachMetered() {
    ChatModel model = chat("tools");
    ToolSpecification tool =
        ToolSpecification.builder().name("look_up").description("Looks a place up.").build();
    UserMessage question = UserMessage.from("where is it? [tools 2]");

    ChatResponse asked =
        model.chat(ChatRequest.builder().messages(question).toolSpecifications(tool).build());
    assertThat(asked.aiMessage().toolExecutionRequests()).hasSize(2);

    // Both tools ask the model themselves, at the same time.
    List<ToolExecutionResultMessage> results =
        asked.aiMessage().toolExecutionRequests().stream()
            .map(
                request ->
                    CompletableFuture.supplyAsync(
                        () ->
                            ToolExecutionResultMessage.from(
                                request, model.chat("look up " + request.arguments())),
                        Books.apart()))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();
    ChatResponse answered =
        model.chat(
            ChatRequest.builder()
                .messages(question, asked.aiMessage(), results.get(0), results.get(1))
                .toolSpecifications(tool)
                .build());

    assertThat(answered.aiMessage().text()).isNotEmpty();
    assertThat(provider.bill("tools").requests()).isEqualTo(4);
    requireEqual("tools");
  }

  @Test
  void stream_answeredWithUsage_isSettledWithIt() {
    StreamRecorder heard = StreamRecorder.all();

    streaming("stream").chat("go on [words 60]", heard);

    assertThat(heard.response().aiMessage().text()).isEqualTo(FakeProvider.answer(60));
    assertThat(heard.text()).isEqualTo(FakeProvider.answer(60));
    requireEqual("stream");
  }

  @Test
  void stream_answeredWithoutUsage_isCounted() {
    StreamRecorder heard = StreamRecorder.all();

    streaming("stream-silent").chat("go on [words 25] [silent]", heard);

    assertThat(heard.response().aiMessage().text()).isEqualTo(FakeProvider.answer(25));
    requireEqual("stream-silent");
  }

  @Test
  void stream_cancelled_isChargedForWhatCame() {
    StreamRecorder heard = StreamRecorder.hangingUpAfter(12);

    streaming("stream-cancelled").chat("go on and on [stall-after 12]", heard);

    assertThat(heard.hungUp()).isTrue();
    assertThat(provider.bill("stream-cancelled").outputTokens())
        .isEqualTo(provider.tokens(FakeProvider.answer(12)));
    requireEqual("stream-cancelled");
  }

  @Test
  void stream_longerThanReserved_isChargedOnTheWay() {
    AtomicLong onTheWay = new AtomicLong();
    StreamRecorder heard =
        StreamRecorder.hangingUpAfter(
            50,
            () ->
                onTheWay.set(
                    books.consumed("long", FakeProvider.CHAT_MODEL).getOrDefault("otpm", 0L)));

    try (LlmMeter small = metered.expecting(10)) {
      streaming("long", small).chat("go on and on [stall-after 50]", heard);
      assertThat(heard.hungUp()).isTrue();
    }

    long produced = provider.tokens(FakeProvider.answer(50));
    assertThat(produced).isGreaterThan(10 + 2 * MeterOnDynamo.EXTENSION_TOKENS);
    assertThat(onTheWay.get()).isBetween(produced, produced + MeterOnDynamo.EXTENSION_TOKENS);
    requireEqual("long");
  }

  @Test
  void stream_timedOut_isChargedForWhatCame() {
    StreamRecorder heard = StreamRecorder.all();
    StreamingChatModel model =
        MeteredModels.of(meter, "stream-late")
            .streaming(
                OpenAiStreamingChatModel.builder()
                    .httpClientBuilder(
                        new ImpatientHttp(() -> heard.text().equals(FakeProvider.answer(5))))
                    .baseUrl(provider.url() + "/v1")
                    .apiKey("stream-late")
                    .modelName(FakeProvider.CHAT_MODEL)
                    .build());

    model.chat("take your time [stall-after 5]", heard);

    assertThat(heard.failure()).isInstanceOf(TimeoutException.class);
    assertThat(provider.bill("stream-late").outputTokens())
        .isEqualTo(provider.tokens(FakeProvider.answer(5)));
    requireEqual("stream-late");
  }

  @Test
  void stream_failed_isGivenBack() {
    StreamRecorder heard = StreamRecorder.all();

    streaming("stream-failing").chat("[fail]", heard);

    assertThat(heard.failure()).isInstanceOf(RuntimeException.class);
    requireEqual("stream-failing");
  }

  @Test
  void embedding_answered_isSettled() {
    EmbeddingModel model = embedding("embeds");

    model.embed("a mill by the stream");
    model.embedAll(List.of(TextSegment.from("wheel"), TextSegment.from("[silent] stone")));
    model.embedAll(List.of(TextSegment.from("[silent] wheel"), TextSegment.from("stone")));

    Bill bill = provider.bill("embeds");
    assertThat(bill.requests()).isEqualTo(3);
    books.requireEqual("embeds", FakeProvider.EMBEDDING_MODEL, bill);
  }

  @Test
  void embedding_failed_isGivenBack() {
    assertThatThrownBy(() -> embedding("embeds-failing").embed("[fail]"))
        .isInstanceOf(RuntimeException.class);

    books.requireEqual(
        "embeds-failing", FakeProvider.EMBEDDING_MODEL, provider.bill("embeds-failing"));
  }
}
