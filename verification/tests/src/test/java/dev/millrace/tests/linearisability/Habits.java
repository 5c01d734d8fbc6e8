package dev.millrace.tests.linearisability;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * What a caller of a limiter does, one random thing after the other.
 *
 * @param looks whether it asks what is available
 * @param charges whether it may find out that a call cost more
 * @param refunds whether it may find out that a call cost less, or nothing
 */
record Habits(boolean looks, boolean charges, boolean refunds) {
  /** Most leases that one caller holds. */
  private static final int MAX_HELD = 3;

  /** Most tokens of a limit that one request wants. */
  private static final int MAX_TOKENS = 4;

  /** How long one who was refused does nothing, so that others come to give something back. */
  private static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  static final Habits ALL = new Habits(true, true, true);

  Habits withoutLooks() {
    return new Habits(false, charges, refunds);
  }

  Habits withoutCharges() {
    return new Habits(looks, false, refunds);
  }

  Habits withoutRefunds() {
    return new Habits(looks, charges, false);
  }

  /** So many things. What is held at the end stays charged. */
  void run(LimiterCaller caller, int limits, RandomGenerator random, int times) {
    List<LimiterCaller.Taken> held = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      int choice = random.nextInt(10);
      if (looks && choice == 0) {
        caller.look();
      } else if (choice == 1 && !held.isEmpty()) {
        int last = held.size() - 1;
        held.set(last, caller.takeMore(held.get(last), 1 + random.nextInt(2)));
      } else if (held.size() == MAX_HELD || (choice < 5 && !held.isEmpty())) {
        end(caller, held.remove(random.nextInt(held.size())), random);
      } else {
        Optional<LimiterCaller.Taken> taken = caller.take(tokens(limits, random));
        taken.ifPresentOrElse(held::add, () -> LockSupport.parkNanos(REFUSED_NANOS));
      }
    }
  }

  private void end(LimiterCaller caller, LimiterCaller.Taken taken, RandomGenerator random) {
    if (refunds && (!charges || random.nextInt(3) > 0)) {
      if (random.nextBoolean()) {
        caller.cancel(taken);
      } else {
        caller.close(taken, taken.tokens().stream().map(amount -> -amount / 2).toList());
      }
    } else if (charges) {
      caller.close(taken, taken.tokens().stream().map(amount -> (amount + 1) / 2).toList());
    }
  }

  /** Something of the first limit, and mostly of the others. */
  private static List<Long> tokens(int limits, RandomGenerator random) {
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < limits; i++) {
      tokens.add(i > 0 && random.nextInt(4) == 0 ? 0L : 1L + random.nextInt(MAX_TOKENS));
    }
    return tokens;
  }
}
