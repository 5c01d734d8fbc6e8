package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractRecords.newToken;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNew;
import static dev.millrace.testkit.internal.contract.TransactionContract.consume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.testkit.StoreContract;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about transactions sent again, and at the same time. */
public interface TokenContract extends StoreUnderTest {
  /** How many transactions at the same time. */
  int RIVALS = 8;

  /** How often each of them is made. */
  int ROUNDS = 10;

  /** How often a transaction that met another one is sent again. */
  int MAX_CONFLICTS = 5_000;

  @ParameterizedTest
  @EnumSource
  default void token_sameTransactionAgain_isMadeOnce(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    records.given(bucket);
    EntityRecord entity = records.entity("a", 1, null, 0);
    StoreCall.Transaction transaction =
        new StoreCall.Transaction(
            List.of(consume(bucket, 1_000)), List.of(putNew(entity)), newToken());
    records.assertCommitted(transaction);
    BucketState after = records.read(bucket);
    records.assertCommitted(transaction);
    assertThat(records.read(bucket)).isEqualTo(after);
    // Its conditions would not hold any more, or would hold again: neither matters.
    records.given(new RecordChange.Delete(entity.key(), 1));
    records.assertCommitted(transaction);
    assertThat(records.lookup(entity.key())).isNull();
    assertThat(records.read(bucket)).isEqualTo(after);
  }

  @ParameterizedTest
  @EnumSource
  default void token_ofAnotherTransaction_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    records.given(bucket);
    String token = newToken();
    records.assertCommitted(
        new StoreCall.Transaction(List.of(consume(bucket, 1_000)), List.of(), token));
    BucketState after = records.read(bucket);
    records.assertMistake(
        new StoreCall.Transaction(List.of(consume(bucket, 1_001)), List.of(), token));
    assertThat(records.read(bucket)).isEqualTo(after);
  }

  @ParameterizedTest
  @EnumSource
  default void token_ofACancelledTransaction_isTriedAnew(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    StoreCall.Transaction transaction =
        ContractRecords.transaction(new RecordChange.AddChildren(records.entity("a"), 1));
    records.assertCancelled(transaction, new Cause(true, null, null));
    records.assertCancelled(transaction, new Cause(true, null, null));
    records.given(records.entity("a", 1, null, 0));
    records.assertCommitted(transaction);
    records.assertCommitted(transaction);
    assertThat(records.lookup(records.entity("a"))).isEqualTo(records.entity("a", 1, null, 1));
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_manyForOneVersion_oneWins(StorePort driver) throws Exception {
    ContractRecords records = new ContractRecords(this, driver);
    List<Callable<Boolean>> rivals = new ArrayList<>();
    for (int i = 0; i < RIVALS; i++) {
      StoreCall.Transaction claim =
          ContractRecords.transaction(putNew(records.entity("a", 1, "parent-" + i, 0)));
      rivals.add(() -> insist(records, claim) instanceof StoreReply.Committed);
    }
    assertThat(together(rivals)).containsOnlyOnce(true);
  }

  /** What one bucket loses another one gets, whoever else writes them meanwhile. */
  @ParameterizedTest
  @EnumSource
  default void transaction_manyTransfersAndWrites_loseNothing(StorePort driver) throws Exception {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey from = records.bucket("from", "gpt-4", 0);
    BucketKey to = records.bucket("to", "gpt-4", 0);
    records.given(from, to);
    WritePlan receive =
        new WritePlan.Adjust(
            to, List.of(LimitChange.unconditional("rpm", 7, 0)), BucketState.NEVER, "op");
    List<Callable<Boolean>> rivals = new ArrayList<>();
    for (int i = 0; i < RIVALS; i++) {
      boolean transfers = i % 2 == 0;
      rivals.add(
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              StoreReply reply =
                  insist(
                      records,
                      transfers
                          ? new StoreCall.Transaction(
                              List.of(consume(from, 7), receive), List.of(), newToken())
                          : new StoreCall.Write(consume(from, 3)));
              assertThat(reply)
                  .isInstanceOf(transfers ? StoreReply.Committed.class : StoreReply.Applied.class);
            }
            return true;
          });
    }
    assertThat(together(rivals)).containsOnly(true);
    int each = RIVALS / 2 * ROUNDS;
    assertBalance(records, from, 100_000 - 10L * each);
    assertBalance(records, to, 100_000 + 7L * each);
  }

  private static void assertBalance(ContractRecords records, BucketKey key, long expectedMilli) {
    assertThat(records.read(key))
        .satisfies(
            state -> assertThat(state.limits().get(0).tokensMilli()).isEqualTo(expectedMilli));
  }

  /** Sends a call until no other transaction is in its way. */
  private static StoreReply insist(ContractRecords records, StoreCall call) {
    for (int i = 0; i < MAX_CONFLICTS; i++) {
      StoreReply reply = records.execute(call);
      if (!(reply instanceof StoreReply.NotApplied failed
          && failed.failure().kind() == StoreFailure.Kind.CONFLICT)) {
        return reply;
      }
    }
    throw new AssertionError(call + " met others " + MAX_CONFLICTS + " times");
  }

  private static List<Boolean> together(List<Callable<Boolean>> rivals) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(rivals.size());
    try {
      List<Boolean> results = new ArrayList<>();
      for (Future<Boolean> result : threads.invokeAll(rivals)) {
        results.add(result.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
