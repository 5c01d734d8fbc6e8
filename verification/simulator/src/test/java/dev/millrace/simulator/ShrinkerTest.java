package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.Violation;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private final Carriers carriers = new Carriers();

  @AfterEach
  void close() {
    carriers.close();
  }

  @Test
  void shrink_tableWithoutFloors_fewActionsThatStillBreakTheSamePromise() {
    Scenario failing = firstFailing(ShrinkerTest::withoutFloors);

    Scenario shortest = Shrinker.shrink(failing, carriers, ShrinkerTest::withoutFloors);

    assertThat(failing.actions().size()).isGreaterThan(100);
    assertThat(shortest.actions().size()).isLessThanOrEqualTo(6);
    Trace trace = Trace.of(Story.MAX_LINES);
    Report report = Simulation.run(shortest, carriers, trace, ShrinkerTest::withoutFloors);
    assertThat(report.failure())
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> assertThat(violation.promise()).isEqualTo(Promise.NEVER_NEGATIVE));
    assertThat(trace.lines()).hasSizeLessThan(60);
  }

  @Test
  void shrink_twice_sameHistory() {
    Scenario failing = firstFailing(ShrinkerTest::withoutFloors);

    assertThat(Shrinker.shrink(failing, carriers, ShrinkerTest::withoutFloors))
        .isEqualTo(Shrinker.shrink(failing, carriers, ShrinkerTest::withoutFloors));
  }

  @Test
  void shrink_goodHistory_isLeftAlone() {
    Scenario good = Scenario.of(1);

    assertThat(Shrinker.shrink(good, carriers)).isEqualTo(good);
  }

  private Scenario firstFailing(UnaryOperator<StoreCall> tampering) {
    for (long seed = 0; seed < 100; seed++) {
      Scenario scenario = Scenario.of(seed);
      Report report = Simulation.run(scenario, carriers, Trace.off(), tampering);
      if (report.failure() instanceof Violation violation
          && violation.promise() == Promise.NEVER_NEGATIVE) {
        return scenario;
      }
    }
    throw new AssertionError("no seed notices that floors are missing");
  }

  /** Every condition on a balance is dropped on its way to the table. */
  private static StoreCall withoutFloors(StoreCall call) {
    if (call instanceof StoreCall.Write write) {
      if (write.plan() instanceof WritePlan.Locked plan) {
        return new StoreCall.Write(
            new WritePlan.Locked(
                plan.key(),
                plan.expectedRefilledAtMs(),
                plan.level(),
                plan.refilledAtMs(),
                free(plan.changes()),
                plan.parameters(),
                plan.addWcuMilli(),
                plan.expiresAtSeconds(),
                plan.op()));
      }
      if (write.plan() instanceof WritePlan.Consume plan) {
        return new StoreCall.Write(
            new WritePlan.Consume(
                plan.key(),
                plan.minRefilledAtMs(),
                plan.level(),
                free(plan.changes()),
                plan.addWcuMilli(),
                plan.expiresAtSeconds(),
                plan.op()));
      }
    }
    return call;
  }

  private static List<LimitChange> free(List<LimitChange> changes) {
    return changes.stream()
        .map(
            change ->
                LimitChange.unconditional(
                    change.name(), change.addTokensMilli(), change.addConsumedMilli()))
        .toList();
  }
}
