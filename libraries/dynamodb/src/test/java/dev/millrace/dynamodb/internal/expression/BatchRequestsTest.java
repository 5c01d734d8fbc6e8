package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.dynamodb.Buckets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

class BatchRequestsTest {
  private static final ItemAddress ADDRESS = new ItemAddress("ns/ENTITY#x", "#META");
  private static final Map<String, AttributeValue> KEY =
      Map.of("PK", AttributeValue.fromS("ns/ENTITY#x"), "SK", AttributeValue.fromS("#META"));

  @Test
  void read_consistentOrNot_isSaid() {
    for (boolean consistent : new boolean[] {true, false}) {
      BatchGetItemRequest request =
          BatchRequests.read("limits", "Lookup", List.of(ADDRESS), consistent).build();
      assertThat(request.requestItems())
          .containsOnly(
              Map.entry(
                  "limits",
                  KeysAndAttributes.builder()
                      .keys(List.of(KEY))
                      .consistentRead(consistent)
                      .build()));
    }
  }

  @Test
  void read_noneTooManyOrTwice_isRefused() {
    assertThatThrownBy(() -> BatchRequests.read("limits", "Lookup", List.of(), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Lookup of 0 keys must have from 1 to 100");
    List<ItemAddress> tooMany =
        IntStream.range(0, 101).mapToObj(i -> new ItemAddress("p" + i, "s")).toList();
    assertThatThrownBy(() -> BatchRequests.read("limits", "ReadAll", tooMany, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ReadAll of 101 keys must have from 1 to 100");
    assertThatThrownBy(
            () -> BatchRequests.read("limits", "Lookup", Collections.nCopies(2, ADDRESS), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ns/ENTITY#x")
        .hasMessageEndingWith("twice");
  }

  @Test
  void erase_bucketsAndItems_areDeleted() {
    BatchWriteItemRequest request =
        BatchRequests.erase("limits", new StoreCall.Erase(List.of(Buckets.KEY), List.of(ADDRESS)))
            .build();
    assertThat(request.requestItems().get("limits"))
        .extracting(write -> write.deleteRequest().key())
        .containsExactly(
            Map.of(
                "PK", AttributeValue.fromS("ns/BUCKET#user-1#gpt-4#0"),
                "SK", AttributeValue.fromS("#STATE")),
            KEY);
  }

  @Test
  void erase_noneOrBucketThatIsAlsoAnItem_isRefused() {
    assertThatThrownBy(
            () -> BatchRequests.erase("limits", new StoreCall.Erase(List.of(), List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Erase of 0 keys must have from 1 to 25");
    ItemAddress bucket = new ItemAddress("ns/BUCKET#user-1#gpt-4#0", "#STATE");
    assertThatThrownBy(
            () ->
                BatchRequests.erase(
                    "limits", new StoreCall.Erase(List.of(Buckets.KEY), List.of(bucket))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
