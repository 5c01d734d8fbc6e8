package dev.millrace.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelResponseContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.RateLimitExceededException;
import dev.millrace.llm.testing.MeterInMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeteredChatModelTest {
  private static final ChatRequest REQUEST =
      ChatRequest.builder().messages(UserMessage.from("ten chars!")).build();

  private final MeterInMemory memory = new MeterInMemory(1_000);
  private final FakeModels.Chat model =
      new FakeModels.Chat(FakeModels.response("answer", new TokenUsage(11, 7)));

  private ChatModel metered() {
    return MeteredModels.of(memory.blocking(), "acme").chat(model);
  }

  @Test
  void everythingElse_passesThrough() {
    ChatModel metered = metered();

    assertThat(metered.defaultRequestParameters()).isSameAs(model.defaultRequestParameters());
    assertThat(metered.listeners()).isSameAs(model.listeners());
    assertThat(metered.provider()).isSameAs(model.provider());
    assertThat(metered.supportedCapabilities()).isEqualTo(model.supportedCapabilities());
  }

  @Test
  void chat_everyWay_isMeteredOnce() {
    ChatModel metered = metered();

    metered.chat("ten chars!");
    metered.chat(UserMessage.from("ten chars!"));
    metered.chat(List.of(UserMessage.from("ten chars!")));
    metered.chat(REQUEST);
    metered.doChat(REQUEST);
    metered.chatAsync(REQUEST).join();
    metered.chatAsync("ten chars!").join();
    metered.doChatAsync(REQUEST).join();

    assertThat(model.asked).hasValue(8);
    assertThat(memory.tokens("acme", FakeModels.MODEL)).isEqualTo(8 * 18);
  }

  @Test
  void chat_onAnAsynchronousLimiter_isMeteredToo() {
    ChatModel metered = MeteredModels.of(memory.asynchronous(), "acme").chat(model);

    metered.chat(REQUEST);
    metered.chatAsync(REQUEST).join();

    assertThat(memory.tokens("acme", FakeModels.MODEL)).isEqualTo(2 * 18);
  }

  @Test
  void chat_listeners_hearEachCallOnce() {
    List<String> heard = new ArrayList<>();
    model.listeners.add(
        new ChatModelListener() {
          @Override
          public void onResponse(ChatModelResponseContext context) {
            heard.add(context.chatResponse().aiMessage().text());
          }
        });

    metered().chat(REQUEST);

    assertThat(heard).containsExactly("answer");
  }

  @Test
  void chat_refused_doesNotAskTheModel() {
    MeterInMemory small = new MeterInMemory(50);
    ChatModel metered = MeteredModels.of(small.blocking(), "acme").chat(model);
    metered.chat(REQUEST);
    metered.chat(REQUEST);

    assertThatThrownBy(() -> metered.chat(REQUEST)).isInstanceOf(RateLimitExceededException.class);
    assertThatThrownBy(() -> metered.chatAsync(REQUEST).join())
        .hasCauseInstanceOf(RateLimitExceededException.class);

    assertThat(model.asked).hasValue(2);
  }

  @Test
  void chat_entityAndResource_areAskedForEachCall() {
    Iterator<String> tenants = List.of("acme", "zeta").iterator();
    ChatModel metered =
        MeteredModels.of(memory.blocking(), tenants::next)
            .resource(name -> "llm/" + name)
            .chat(model);

    metered.chat(REQUEST);
    metered.chat(REQUEST);

    assertThat(memory.tokens("acme", "llm/" + FakeModels.MODEL)).isEqualTo(18);
    assertThat(memory.tokens("zeta", "llm/" + FakeModels.MODEL)).isEqualTo(18);
  }

  @Test
  void chat_halfOfTheUsageMissing_isCounted() {
    FakeModels.Chat silent =
        new FakeModels.Chat(FakeModels.response("four", new TokenUsage(11, null)));

    MeteredModels.of(memory.blocking(), "acme").chat(silent).chat(REQUEST);

    assertThat(memory.tokens("acme", FakeModels.MODEL)).isEqualTo(10 + 4);
  }

  @Test
  void chat_usageOfNothing_isCounted() {
    FakeModels.Chat zero = new FakeModels.Chat(FakeModels.response("four", new TokenUsage(0, 0)));

    MeteredModels.of(memory.blocking(), "acme").chat(zero).chat(REQUEST);

    assertThat(memory.tokens("acme", FakeModels.MODEL)).isEqualTo(10 + 4);
  }

  @Test
  void chat_usageThatCannotBe_keepsTheReservation() {
    FakeModels.Chat odd = new FakeModels.Chat(FakeModels.response("four", new TokenUsage(9, -4)));

    assertThat(MeteredModels.of(memory.blocking(), "acme").chat(odd).chat("ten chars!"))
        .isEqualTo("four");

    assertThat(memory.tokens("acme", FakeModels.MODEL)).isEqualTo(10 + MeterInMemory.EXPECTED);
  }
}
