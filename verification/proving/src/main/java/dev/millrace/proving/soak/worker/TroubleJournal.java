package dev.millrace.proving.soak.worker;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimiterListener;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.proving.soak.World;
import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.journal.AccountAmount;
import dev.millrace.proving.soak.journal.JournalWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Writes down what callers are not told: what was written, and what could not be settled. */
record TroubleJournal(JournalWriter journal) implements LimiterListener {
  @Override
  public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
    boolean lost = reply instanceof StoreReply.Unknown;
    boolean made = reply instanceof StoreReply.Applied || reply instanceof StoreReply.Committed;
    if (!lost && !made) {
      return;
    }
    long tookMs = TimeUnit.NANOSECONDS.toMillis(elapsedNanos);
    for (String bucket : written(call)) {
      journal.written(bucket, tookMs);
      if (lost) {
        journal.lostAnswer(bucket);
      }
    }
  }

  private static List<String> written(StoreCall call) {
    if (call instanceof StoreCall.Write write) {
      return List.of(World.bucket(write.key()));
    }
    return call instanceof StoreCall.Transaction transaction
        ? transaction.plans().stream().map(WritePlan::key).map(World::bucket).toList()
        : List.of();
  }

  /** A process that is killed loses what its limiter has taken over. */
  @Override
  public void onSettlementPostponed(BucketKey key, Amounts amounts, StoreFailure failure) {
    onSettleFailed(key, amounts, failure);
  }

  @Override
  public void onSettleFailed(BucketKey key, Amounts amounts, StoreFailure failure) {
    List<AccountAmount> postings = new ArrayList<>();
    for (int i = 0; i < amounts.limits().size(); i++) {
      if (amounts.milli(i) != 0) {
        Account account = new Account(World.bucket(key), amounts.limits().get(i).name());
        postings.add(new AccountAmount(account, amounts.milli(i)));
      }
    }
    journal.notSettled(postings);
  }

  @Override
  public void onGivenBack(BucketKey key, int legs) {
    journal.givenBack(World.bucket(key));
  }
}
