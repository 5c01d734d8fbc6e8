package dev.millrace.client.internal;

import dev.millrace.Rejection;
import dev.millrace.client.internal.mirror.PlaceInLine;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A caller's place in a {@link WaitLine}. What changes is guarded by the lock of the line. */
final class Waiter implements PlaceInLine {
  /** What a caller that waits is told. */
  sealed interface Turn {
    /** It may ask the store now. */
    record Ask() implements Turn {}

    /** Its time does not suffice. */
    record Refused(Rejection rejection) implements Turn {}
  }

  private final WaitLine line;
  private final ResolvedRequest prepared;
  private final long number;
  private final long endsAtMs;
  private final AtomicReference<Departures.@Nullable Departure> departure = new AtomicReference<>();

  /** Replaced each time the caller goes back to its place. */
  private volatile CompletableFuture<Turn> turn = new CompletableFuture<>();

  private boolean asks;
  private long notBeforeMs = Long.MIN_VALUE;
  private int triesInVain;

  Waiter(WaitLine line, ResolvedRequest prepared, long number, long endsAtMs) {
    this.line = line;
    this.prepared = prepared;
    this.number = number;
    this.endsAtMs = endsAtMs;
  }

  WaitLine line() {
    return line;
  }

  ResolvedRequest prepared() {
    return prepared;
  }

  /** Its number in the order of arrival, from 1. */
  @Override
  public long number() {
    return number;
  }

  /** When its time is over, of the time that elapses. */
  long endsAtMs() {
    return endsAtMs;
  }

  /** Completes when the caller may ask, or is refused. */
  CompletableFuture<Turn> turn() {
    return turn;
  }

  /** Whether it may ask, or does so already. */
  boolean asks() {
    return asks;
  }

  /** When it may ask again at the earliest. */
  long notBeforeMs() {
    return notBeforeMs;
  }

  void notBefore(long atMs) {
    notBeforeMs = atMs;
  }

  /** How often it was refused after it had asked. */
  int triesInVain() {
    return triesInVain;
  }

  void startsToAsk() {
    asks = true;
  }

  void goesBack() {
    asks = false;
    triesInVain++;
    turn = new CompletableFuture<>();
  }

  /** It leaves together with others. */
  void departs(Departures.Departure together) {
    departure.set(together);
  }

  /** Its demands are queued, or it has none: those that leave together need not wait for it. */
  @Override
  public void arrived() {
    Departures.Departure together = departure.getAndSet(null);
    if (together != null) {
      together.arrived();
    }
  }

  /** The caller waits no more. */
  void left() {
    arrived();
    turn.cancel(false); // nothing hangs on it for ever
  }
}
