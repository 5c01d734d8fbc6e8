package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two limiters on one store, as two processes are. */
class TwoProcessesTest {
  @ParameterizedTest
  @EnumSource
  void tryAcquire_inTurn_admitTheBurstTogether(Style style) {
    Bench bench = new Bench();
    try (Caller one = bench.caller(style);
        Caller other = bench.caller(style)) {
      int admitted = 0;
      for (int i = 0; i < 20; i++) {
        admitted += (i % 2 == 0 ? one : other).tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(10);
      assertThat(bench.balanceMilli("rpm")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_otherWritesInBetween_goesOnFromWhatRefusedIt(Style style) {
    Bench bench = new Bench();
    try (Caller one = bench.caller(style);
        Caller other = bench.caller(style)) {
      one.acquire(Bench.rpm(1));
      bench.advance(500);
      bench.faults.once(
          Calls.writes(WritePlan.Locked.class), Fault.before(() -> other.acquire(Bench.rpm(1))));

      int trips = bench.roundTrips(() -> one.acquire(Bench.rpm(1)));

      assertThat(trips).as("a read and a write of the other").isEqualTo(4);
      assertThat(one.metrics().lostLocks()).isEqualTo(1);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(3_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_otherTookTheRest_isRefusedFromWhatRefusedTheWrite(Style style) {
    Bench bench = new Bench();
    try (Caller one = bench.caller(style);
        Caller other = bench.caller(style)) {
      one.acquire(Bench.rpm(1));
      other.acquire(Bench.rpm(9));

      int trips =
          bench.roundTrips(() -> assertThat(one.tryAcquire(Bench.rpm(1)).isGranted()).isFalse());

      assertThat(trips).as("the refused write tells the state").isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_randomlyInterleaved_keepsTheBooks(Style style) {
    Seeds.forEach(
        40,
        (random, seed) -> {
          Bench bench = new Bench();
          List<Caller> processes = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            processes.add(bench.caller(style));
          }
          List<Lease> leases = new ArrayList<>();
          long expectedMilli = 0;
          for (int i = 0; i < 200; i++) {
            long stepMs = random.nextInt(4) == 0 ? random.nextInt(9_000) : random.nextInt(120);
            bench.advance(stepMs);
            Caller process = processes.get(random.nextInt(processes.size()));
            long amount = random.nextInt(4);
            AcquireRequest request = Bench.rpm(amount).consume("tpm", random.nextInt(5));
            Caller.Answer answer = process.tryAcquire(request);
            if (answer.isGranted()) {
              expectedMilli += amount * 1_000;
              leases.add(answer.lease().orElseThrow());
              assertThat(bench.balanceMilli("rpm")).as("step %d", i).isBetween(0L, 10_000L);
            }
            if (!leases.isEmpty() && random.nextInt(3) == 0) {
              Lease lease = leases.remove(random.nextInt(leases.size()));
              long delta = random.nextInt(3) - Math.min(1, lease.consumed("rpm"));
              lease.adjust("rpm", delta);
              lease.close();
              expectedMilli += delta * 1_000;
            }
            if (bench.memory.size() > 0) {
              assertThat(bench.consumedMilli("rpm")).as("step %d", i).isEqualTo(expectedMilli);
            }
          }
          processes.forEach(Caller::close);
        });
  }
}
