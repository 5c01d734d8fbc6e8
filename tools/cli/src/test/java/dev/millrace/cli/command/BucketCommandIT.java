package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class BucketCommandIT {
  private static OnTable on;

  @BeforeAll
  static void spent() {
    on = OnTable.create("cli-buckets");
    // So slow to return that a slow machine sees the same balances.
    on.done("resource", "set", "gpt", "rpd:100/day", "tpd:1000/day");
    try (DynamoDbClient client = on.client();
        RateLimiter limiter =
            RateLimiter.create(on.store(client), LimiterOptions.builder().build())) {
      for (String entity : new String[] {"a", "b"}) {
        try (Lease lease =
            limiter.acquire(
                AcquireRequest.of(entity, "gpt").consume("rpd", 40).consume("tpd", 500))) {
          lease.adjust("tpd", 750); // into debt
        }
      }
    }
  }

  @Test
  void show_balancesAsBarsAndAsNumbers() {
    assertThat(on.done("bucket", "show", "b", "gpt"))
        .contains("b on gpt: limits from resource, 1 of 1 shards", "rpd:100/day", "█")
        .contains("tpd:1000/day", "-250", "1,250");

    JsonNode json = on.json("bucket", "show", "b", "gpt");
    assertThat(json.at("/limits/0/availableMilli").asLong()).isBetween(60_000L, 61_000L);
    assertThat(json.at("/limits/1/consumedMilli").asLong()).isEqualTo(1_250_000);
    assertThat(json.at("/parts")).hasSize(1);
    assertThat(on.fails(3, "bucket", "show", "nobody", "gpt")).contains("nobody", "first acquire");
  }

  @Test
  void list_byEntityAndByResource() {
    assertThat(on.done("bucket", "list", "--entity", "b")).contains("b", "gpt", "rpd", "tpd");
    assertThat(on.lines("bucket", "list", "--resource", "gpt"))
        .extracting(bucket -> bucket.at("/entity").asText())
        .containsExactlyInAnyOrder("a", "b");
    assertThat(on.fails(2, "bucket", "list")).contains("--entity", "--resource");
    assertThat(on.done("resource", "capacity", "gpt")).contains("tpd", "2,000", "rpd");
    assertThat(on.json("resource", "capacity", "gpt").at("/limits/tpd/capacityMilli").asLong())
        .isEqualTo(2_000_000);
  }

  @Test
  void topUpAndReset_giveOnce() {
    assertThat(on.done("bucket", "top-up", "a", "gpt", "tpd=100", "--operation", "op-1"))
        .isEqualTo("topped up 1 shards, operation op-1\n");
    JsonNode again = on.json("bucket", "top-up", "a", "gpt", "tpd=100", "--operation", "op-1");
    assertThat(again.at("/doneBefore").asBoolean()).isTrue();
    assertThat(on.json("bucket", "show", "a", "gpt").at("/limits/1/availableMilli").asLong())
        .isBetween(-150_000L, -140_000L);
    assertThat(on.fails(4, "bucket", "reset", "a", "gpt")).contains("debt", "--yes");
    assertThat(on.fails(3, "bucket", "top-up", "a", "gpt", "nope=1")).contains("no such limit");
    assertThat(on.fails(2, "bucket", "top-up", "a", "gpt", "tpd=0")).contains("amount 0");
    assertThat(on.done("bucket", "reset", "a", "gpt", "--limit", "tpd", "--yes"))
        .startsWith("reset 1");
    JsonNode filled = on.json("bucket", "show", "a", "gpt");
    assertThat(filled.at("/limits/1/availableMilli").asLong()).isEqualTo(1_000_000);
    assertThat(filled.at("/limits/0/availableMilli").asLong()).isLessThan(70_000);
  }

  @Test
  void resize_saysHowManyShardsThereShouldBe() {
    assertThat(on.done("bucket", "resize", "b", "gpt", "1")).isEqualTo("was so already\n");
    assertThat(on.fails(2, "bucket", "resize", "b", "gpt", "3")).contains("power of two");
    assertThat(on.fails(3, "bucket", "resize", "nobody", "gpt", "2")).contains("no such bucket");
  }
}
