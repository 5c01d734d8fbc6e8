package dev.millrace.worker.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.s3.S3Destinations;
import dev.millrace.s3.S3Location;
import dev.millrace.testkit.InMemoryUsageStore;
import dev.millrace.worker.LocalClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.s3.DelegatingS3Client;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Letters from S3, on a real server of its protocol. */
class S3LettersIT {
  private static final S3Location PLACE = S3Location.parse("s3://kept/letters");

  private final EmbeddedS3 server = EmbeddedS3.start();
  private final LocalClients endpoints = LocalClients.of(server.endpoint());
  private final S3Client client = endpoints.s3Client();
  private final InMemoryUsageStore usage = new InMemoryUsageStore();

  @BeforeEach
  void makeBucket() {
    client.createBucket(b -> b.bucket("kept"));
  }

  @AfterEach
  void stop() {
    endpoints.close();
    server.close();
  }

  @Test
  void run_lettersBesideOtherThings_replaysEachOnceAndRemovesThose() {
    Consumer<List<DeadLetter>> letters = S3Destinations.deadLetters(client, PLACE);
    letters.accept(List.of(letter("1", "1000"), letter("2", "2000"), letter("3", "nonsense")));
    letters.accept(List.of(letter("2", "2000"))); // the batch came again
    put("letters/readme.txt", "not a letter");
    put("letters/broken.json", "{\"record\":");
    put("other/9.json", "not here");

    assertThat(replay(false)).isEqualTo(new Replay.Result(4, 2, 0, 0, 1, 1));
    assertThat(names()).hasSize(6);
    assertThat(replay(true)).isEqualTo(new Replay.Result(4, 0, 2, 0, 1, 1));
    assertThat(names())
        .containsExactly(
            "letters/3.json", "letters/broken.json", "letters/readme.txt", "other/9.json");
    assertThat(milli()).isEqualTo(3_000);
  }

  /** One page has a thousand at most; S3 is asked for the next. */
  @Test
  void forEach_moreThanAPage_showsAll() {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      put("letters/%02d.json".formatted(i), "letter " + i);
    }
    new LetterSource.S3Letters(new SmallPages(client), PLACE)
        .forEach(
            text -> {
              seen.add(text);
              return false;
            },
            true);
    assertThat(seen).hasSize(25).doesNotHaveDuplicates();
  }

  /** Asks for ten at a time. */
  private static final class SmallPages extends DelegatingS3Client {
    SmallPages(S3Client delegate) {
      super(delegate);
    }

    @Override
    public ListObjectsV2Response listObjectsV2(ListObjectsV2Request request) {
      return super.listObjectsV2(request.toBuilder().maxKeys(10).build());
    }
  }

  private Replay.Result replay(boolean remove) {
    Aggregator aggregator = Aggregator.builder(usage, letters -> {}).build();
    return new Replay(aggregator).run(new LetterSource.S3Letters(client, PLACE), remove);
  }

  private void put(String name, String text) {
    client.putObject(p -> p.bucket("kept").key(name), RequestBody.fromString(text));
  }

  private List<String> names() {
    return client.listObjectsV2(l -> l.bucket("kept")).contents().stream()
        .map(S3Object::key)
        .sorted()
        .toList();
  }

  private long milli() {
    return usage.all().stream()
        .filter(item -> item.key().window().equals(Window.DAY))
        .mapToLong((UsageItem item) -> item.milli("rpm"))
        .sum();
  }

  private static DeadLetter letter(String number, String consumed) {
    return new DeadLetter(
        new StreamRecord(
            number,
            1_794_776_400_250L,
            OperationType.INSERT,
            false,
            Map.of(),
            Map.of(),
            Map.of(
                "PK", AttributeValue.fromS("default/BUCKET#key-1#gpt-4#0"),
                "SK", AttributeValue.fromS("#STATE"),
                "entity_id", AttributeValue.fromS("key-1"),
                "resource", AttributeValue.fromS("gpt-4"),
                "b_rpm_tc", AttributeValue.fromN(consumed))),
        "why");
  }
}
