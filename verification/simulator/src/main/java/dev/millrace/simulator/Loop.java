package dev.millrace.simulator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and whoever runs in it: events in the order of their times, and threads that take
 * turns.
 *
 * <p>There is no thread of the loop's own. Whoever has to wait works through the events until it is
 * to go on itself; only when another thread is to go on does it give the baton to that one and
 * park. So a thread that waits for its own answer costs no switch at all.
 *
 * <p>Events at the same moment come in an order that the seed decides, because on real machines
 * their order is anybody's guess.
 */
final class Loop {
  /** An event, or a thread that is to go on. */
  private static final class Event implements Comparable<Event> {
    final long atNanos;
    final long tie;
    final @Nullable Runnable task;
    final @Nullable Fiber fiber;

    Event(long atNanos, long tie, @Nullable Runnable task, @Nullable Fiber fiber) {
      this.atNanos = atNanos;
      this.tie = tie;
      this.task = task;
      this.fiber = fiber;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(tie, other.tie);
    }
  }

  private final Carriers carriers;
  private final Carrier main = new Carrier();
  private final Chance ties;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Set<Fiber> fibers = new LinkedHashSet<>();
  private final long maxEvents;
  private long nowNanos;
  private long untilNanos;
  private long executed;
  private boolean closed;
  private @Nullable Throwable failure;

  /**
   * A loop that stands at 0.
   *
   * @param maxEvents after so many it fails: something goes round in circles
   */
  Loop(Chance chance, Carriers carriers, long maxEvents) {
    this.ties = chance.split("ties");
    this.carriers = carriers;
    this.maxEvents = maxEvents;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** How many events there were so far. */
  long executed() {
    return executed;
  }

  /** How many events are still to come. */
  int pending() {
    return events.size();
  }

  /** Does {@code task} after a while; it must not wait. */
  void after(long delayNanos, Runnable task) {
    at(nowNanos + Math.max(0, delayNanos), task);
  }

  /** Does {@code task} at a time that is not past. */
  void at(long atNanos, Runnable task) {
    events.add(new Event(Math.max(nowNanos, atNanos), ties.next(), task, null));
  }

  /** Starts a thread at this moment. */
  Fiber spawn(Runnable body) {
    Fiber fiber = new Fiber(body);
    fibers.add(fiber);
    goOn(fiber);
    return fiber;
  }

  private void goOn(Fiber fiber) {
    events.add(new Event(nowNanos, ties.next(), null, fiber));
  }

  /** The calling thread waits for {@code event}, see {@link dev.millrace.Threads#await}. */
  boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException {
    Carrier carrier = Carrier.current();
    Fiber fiber = carrier == null ? null : carrier.fiber;
    if (carrier == null || fiber == null || carrier.inEvent) {
      throw new IllegalStateException("only a simulated thread can wait, and no event");
    }
    if (fiber.killed) {
      throw new CrashedProcessError();
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (event.isDone() || maxNanos <= 0) {
      return event.isDone();
    }
    long wait = ++fiber.wait;
    fiber.waiting = true;
    CompletableFuture<?> unused = event.whenComplete((result, thrown) -> wake(fiber, wait));
    if (maxNanos < Long.MAX_VALUE - nowNanos) {
      after(maxNanos, () -> wake(fiber, wait));
    }
    pump(carrier);
    if (fiber.killed) {
      throw new CrashedProcessError();
    }
    if (fiber.interrupted) {
      fiber.interrupted = false;
      throw new InterruptedException();
    }
    return event.isDone();
  }

  private void wake(Fiber fiber, long wait) {
    if (fiber.waiting && fiber.wait == wait) {
      fiber.waiting = false;
      goOn(fiber);
    }
  }

  /** Interrupts a thread that waits; false when it does not. */
  boolean interrupt(Fiber fiber) {
    if (!fiber.waiting) {
      return false;
    }
    fiber.interrupted = true;
    wake(fiber, fiber.wait);
    return true;
  }

  /** Ends a thread where it stands. */
  void kill(Fiber fiber) {
    fiber.killed = true;
    wake(fiber, fiber.wait);
  }

  /**
   * Lets everything happen up to {@code nanos}. Throws what an event or a thread has thrown: then
   * nothing happens any more.
   */
  void runUntil(long nanos) {
    untilNanos = nanos;
    pump(main);
    if (failure == null) {
      nowNanos = nanos;
    } else {
      close();
      rethrow(failure);
    }
  }

  /** Ends all threads that are left. */
  void close() {
    closed = true;
    List<Fiber> left = new ArrayList<>(fibers);
    for (Fiber fiber : left) {
      fiber.killed = true;
      if (fiber.carrier != null) {
        fiber.waiting = false;
        fiber.carrier.run();
        main.awaitBaton();
      }
    }
    fibers.clear();
    events.clear();
  }

  /** Works through events until {@code self} is to go on. */
  private void pump(Carrier self) {
    boolean outer = self.inEvent;
    while (true) { // ends: when the time is over, or when a thread is to go on
      Event event = isOver() ? null : events.poll();
      if (event == null) {
        if (self != main) {
          main.run();
          self.awaitBaton();
        }
        return;
      }
      begin(event);
      if (event.task != null) {
        self.inEvent = true;
        perform(event.task);
        self.inEvent = outer;
      } else if (isStarted(event)) {
        if (event.fiber != self.fiber) {
          resume(event);
          self.awaitBaton();
        }
        return;
      } else if (start(event)) {
        self.awaitBaton();
        return;
      }
    }
  }

  /** The same for a carrier that has nothing to do: it takes on the next thread that starts. */
  void pumpIdle(Carrier self) {
    while (true) { // ends: when the time is over, or when a thread starts or is to go on
      Event event = isOver() ? null : events.poll();
      if (event == null) {
        carriers.rest(self);
        main.run();
        self.awaitBaton();
        return;
      }
      begin(event);
      Fiber fiber = event.fiber;
      if (event.task != null) {
        perform(event.task);
      } else if (fiber != null && fiber.carrier == null) {
        if (!fiber.killed) {
          self.fiber = fiber;
          fiber.carrier = self;
          return;
        }
        fibers.remove(fiber);
      } else {
        carriers.rest(self);
        resume(event);
        self.awaitBaton();
        return;
      }
    }
  }

  private boolean isOver() {
    Event next = events.peek();
    return closed || failure != null || next == null || next.atNanos > untilNanos;
  }

  private void begin(Event event) {
    nowNanos = event.atNanos;
    if (++executed > maxEvents && failure == null) {
      failure =
          new Simulation.InCirclesException(
              "more than " + maxEvents + " events: it goes in circles");
    }
  }

  private void perform(Runnable task) {
    try {
      task.run();
    } catch (CrashedProcessError killed) {
      // The process that the event belonged to is no more.
    } catch (RuntimeException | Error thrown) {
      failure = thrown;
    }
  }

  private static boolean isStarted(Event event) {
    return event.fiber != null && event.fiber.carrier != null;
  }

  /** Gives the baton to a thread that waited. */
  private static void resume(Event event) {
    Fiber fiber = Objects.requireNonNull(event.fiber);
    Objects.requireNonNull(fiber.carrier).run();
  }

  /** Gives the baton to a thread that starts; false when it was killed before. */
  private boolean start(Event event) {
    Fiber fiber = Objects.requireNonNull(event.fiber);
    if (fiber.killed) {
      fibers.remove(fiber);
      return false;
    }
    Carrier carrier = carriers.take();
    carrier.loop = this;
    carrier.fiber = fiber;
    fiber.carrier = carrier;
    carrier.run();
    return true;
  }

  /** A thread from its beginning to its end. */
  void runFiber(Carrier carrier, Fiber fiber) {
    try {
      fiber.run();
    } catch (CrashedProcessError killed) {
      // As it should be.
    } catch (RuntimeException | Error thrown) {
      if (!fiber.killed && failure == null) {
        failure = thrown;
      }
    } finally {
      boolean unused = Thread.interrupted();
      fibers.remove(fiber);
      fiber.carrier = null;
      carrier.fiber = null;
      carrier.loop = this;
    }
  }

  private static void rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }
}
