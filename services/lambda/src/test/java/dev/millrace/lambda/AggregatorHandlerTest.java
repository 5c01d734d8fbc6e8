package dev.millrace.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.tests.EventLoader;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.internal.DestinationJson;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.testkit.InMemoryUsageStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The handler, given events as the runtime makes them of what Lambda sends. */
class AggregatorHandlerTest {
  private static final long AT_MS = 1_794_776_400_250L;

  private final InMemoryUsageStore usage = new InMemoryUsageStore();
  private final List<DeadLetter> letters = new ArrayList<>();
  private final AggregatorHandler handler =
      new AggregatorHandler(Aggregator.builder(usage, letters::addAll).build());

  @Test
  void handleRequest_event_isCountedAndWhatIsPoisonGoesAside() {
    StreamsEventResponse response = handler.handleRequest(event(), null);

    assertThat(response.getBatchItemFailures()).isEmpty();
    assertThat(totals("key-1")).isEqualTo(Map.of("rpm", 2_000L, "tpm", 420_000L));
    assertThat(totals("key-3")).isEqualTo(Map.of("rpm", 3_000L));
    assertThat(usage.find(List.of(day("key-2"), day("key-9")))).isEmpty();
    assertThat(letters).hasSize(1);
    assertThat(DestinationJson.of(letters.get(0)))
        .contains("\"sequenceNumber\":\"100000000000000000004\"")
        .contains("\"bin\":{\"B\":\"AQID\"}")
        .contains(
            "\"list\":{\"L\":[{\"BOOL\":true},{\"NULL\":true},{\"M\":{\"x\":{\"SS\":[\"a\"]}}}]}");
  }

  @Test
  void handleRequest_sameEventAgain_changesNothing() {
    handler.handleRequest(event(), null);
    handler.handleRequest(event(), null);

    assertThat(totals("key-1")).isEqualTo(Map.of("rpm", 2_000L, "tpm", 420_000L));
    assertThat(usage.find(List.of(day("key-1"))).get(0).events()).isEqualTo(2);
  }

  @Test
  void handleRequest_deadLettersAway_namesThePoisonRecordAndLosesNothing() {
    AggregatorHandler away =
        new AggregatorHandler(
            Aggregator.builder(
                    usage,
                    put -> {
                      throw new IllegalStateException("the queue is away");
                    })
                .build());

    StreamsEventResponse response = away.handleRequest(event(), null);

    assertThat(response.getBatchItemFailures())
        .extracting(StreamsEventResponse.BatchItemFailure::getItemIdentifier)
        .containsExactly("100000000000000000004");
    assertThat(handler.handleRequest(event(), null).getBatchItemFailures()).isEmpty();
    assertThat(totals("key-1")).isEqualTo(Map.of("rpm", 2_000L, "tpm", 420_000L));
    assertThat(totals("key-3")).isEqualTo(Map.of("rpm", 3_000L));
    assertThat(letters).hasSize(1);
  }

  @Test
  void handleRequest_noRecords_isDone() {
    assertThat(handler.handleRequest(new DynamodbEvent(), null).getBatchItemFailures()).isEmpty();
  }

  /** Loaded, written and read again, by the serialisers of the runtime. */
  private static DynamodbEvent event() {
    PojoSerializer<DynamodbEvent> serializer =
        LambdaEventSerializers.serializerFor(
            DynamodbEvent.class, AggregatorHandlerTest.class.getClassLoader());
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    serializer.toJson(EventLoader.loadDynamoDbEvent("stream-event.json"), written);
    return serializer.fromJson(new ByteArrayInputStream(written.toByteArray()));
  }

  private static UsageKey day(String entity) {
    return UsageKey.at("default", entity, "gpt-4", Window.DAY, AT_MS);
  }

  private Map<String, Long> totals(String entity) {
    UsageItem item = usage.find(List.of(day(entity))).get(0);
    return item.totalMilli();
  }
}
