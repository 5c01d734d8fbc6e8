package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** All shards of a bucket are read, whatever number of them was believed to be there. */
class ShardReadProtocolTest {
  private final PureTable table = new PureTable();

  @Test
  void start_asManyAsBelieved_isOneCall() {
    BucketState first = put(0, 2);
    BucketState second = put(1, 2);
    Script<ShardReadProtocol.Result> script = read(KEY.withShard(1), 2);

    assertThat(script.calls()).containsExactly(readAll(0, 2));
    assertThat(script.answer(table, T + 5).result())
        .isEqualTo(new ShardReadProtocol.Result(List.of(first, second), T + 5, null));
    assertThat(script.result().count()).isEqualTo(2);
  }

  @Test
  void start_moreThanBelieved_goesOnAsFarAsTheyTell() {
    put(0, 4);
    put(2, 4);
    put(1, 8);
    put(3, 4);
    put(5, 8);
    Script<ShardReadProtocol.Result> script = read(KEY, 1);

    assertThat(script.calls()).containsExactly(readAll(0, 1));
    assertThat(script.answer(table, T).calls()).containsExactly(readAll(1, 4));
    assertThat(script.answer(table, T).calls()).containsExactly(readAll(4, 8));
    assertThat(script.answer(table, T + 9).result().shards())
        .extracting(shard -> shard.key().shard())
        .containsExactly(0, 1, 2, 3, 5);
    assertThat(script.result().readAtMs()).isEqualTo(T + 9);
  }

  @Test
  void start_fewerThanBelieved_takesThoseThatAreThere() {
    put(0, 1);

    assertThat(read(KEY, 64).answer(table, T).result().shards()).hasSize(1);
    assertThat(read(KEY, 0).answer(table, T).result().shards()).hasSize(1);
  }

  @Test
  void start_moreThanACallTakes_asksInSeveral() {
    IntStream.range(0, 128).forEach(shard -> put(shard, 128));
    Script<ShardReadProtocol.Result> script = read(KEY, 128);

    assertThat(script.calls()).containsExactly(readAll(0, 100), readAll(100, 128));
    assertThat(script.answer(table, T).result().shards()).hasSize(128);
  }

  @Test
  void start_noBucket_isEmpty() {
    assertThat(read(KEY, 2).answer(table, T).result())
        .isEqualTo(new ShardReadProtocol.Result(List.of(), T, null));
    put(1, 2);
    assertThat(read(KEY, 2).answer(table, T).result().shards()).as("the first one tells").isEmpty();
    assertThat(read(KEY, 2).answer(table, T).result().count()).isZero();
  }

  /** A part of a bucket must not look like the bucket. */
  @Test
  void start_oneCallFails_nothingIsTold() {
    IntStream.range(0, 128).forEach(shard -> put(shard, 128));
    Script<ShardReadProtocol.Result> script = read(KEY, 128);
    List<StoreReply> replies =
        List.of(
            table.execute(script.calls().get(0)),
            new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE));

    assertThat(script.answer(replies, T + 5).result())
        .isEqualTo(new ShardReadProtocol.Result(List.of(), T + 5, SLOW_DOWN));
    assertThat(
            read(KEY, 1).answer(new StoreReply.Unknown(LOST, Receipt.NONE), T).result().failure())
        .isEqualTo(LOST);
  }

  @Test
  void start_anySplits_findsAll() {
    Laws.check(
        200,
        gen -> {
          PureTable any = new PureTable();
          List<ShardShare> shares = Shards.random(gen, (int) gen.between(0, 30), 64);
          shares.forEach(share -> any.put(shard(share.shard(), share.level())));
          ShardReadProtocol.Result result = read(KEY, 1 << gen.between(0, 6)).finish(any, T);
          assertThat(result.shards()).isEqualTo(any.shards(KEY)).hasSameSizeAs(shares);
        });
  }

  private BucketState put(int shard, int level) {
    BucketState state = shard(shard, level);
    table.put(state);
    return state;
  }

  private static BucketState shard(int shard, int level) {
    return Shards.shard(shard, Division.of(2, level), T, holds(RPM, 1));
  }

  private static Script<ShardReadProtocol.Result> read(BucketKey key, int believed) {
    return Script.of(ShardReadProtocol.start(key, believed));
  }

  private static StoreCall readAll(int from, int to) {
    return new StoreCall.ReadAll(
        Arrays.stream(IntStream.range(from, to).toArray()).mapToObj(KEY::withShard).toList());
  }
}
