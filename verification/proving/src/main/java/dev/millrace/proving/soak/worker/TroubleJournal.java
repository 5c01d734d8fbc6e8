package dev.millrace.proving.soak.worker;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterEvent.Notice;
import dev.millrace.LimiterEvent.RoundTrip;
import dev.millrace.LimiterEvent.SettlementProgress;
import dev.millrace.LimiterEvent.SettlementProgress.State;
import dev.millrace.LimiterListener;
import dev.millrace.proving.soak.World;
import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.journal.AccountAmount;
import dev.millrace.proving.soak.journal.JournalWriter;
import java.util.ArrayList;
import java.util.List;

/** A journal of what callers do not learn: what was written, and what could not be settled. */
record TroubleJournal(JournalWriter journal) implements LimiterListener {
  @Override
  public void onEvent(LimiterEvent event) {
    if (event instanceof RoundTrip trip) {
      made(trip);
    } else if (event instanceof SettlementProgress settlement) {
      // A process that is killed loses what its limiter has taken over.
      if (settlement.state() == State.POSTPONED || settlement.state() == State.FAILED) {
        notSettled(settlement);
      }
    } else if (event instanceof Notice notice
        && notice.kind() == Notice.Kind.GIVEN_BACK
        && notice.bucket() != null) {
      journal.givenBack(World.bucket(notice.bucket()));
    }
  }

  private void made(RoundTrip trip) {
    boolean lost = trip.result() == RoundTrip.Result.UNKNOWN;
    boolean writes =
        trip.operation() == RoundTrip.Operation.WRITE
            || trip.operation() == RoundTrip.Operation.TRANSACTION;
    if (!writes || !(lost || trip.result() == RoundTrip.Result.DONE)) {
      return;
    }
    for (BucketKey key : trip.buckets()) {
      String bucket = World.bucket(key);
      journal.written(bucket, trip.elapsed().toMillis());
      if (lost) {
        journal.lostAnswer(bucket);
      }
    }
  }

  private void notSettled(SettlementProgress settlement) {
    Amounts amounts = settlement.amounts();
    List<AccountAmount> postings = new ArrayList<>();
    for (int i = 0; i < amounts.limits().size(); i++) {
      if (amounts.milli(i) != 0) {
        Account account =
            new Account(World.bucket(settlement.bucket()), amounts.limits().get(i).name());
        postings.add(new AccountAmount(account, amounts.milli(i)));
      }
    }
    journal.notSettled(postings);
  }
}
