package dev.millrace.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.simulator.oracle.TableWrite.Source;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The story of one bucket, told to an oracle. Its limit is a millitoken a millisecond, 60 tokens at
 * most, so that amounts and times are the same numbers.
 */
final class Story {
  static final Limit RPM = Limit.perMinute("rpm", 60);
  static final long FULL = RPM.burstMilli();
  static final BucketKey KEY = BucketKey.first("test", "key-1", "gpt-4");
  static final long T = 1_700_000_000_000L;

  final TableOracle oracle = new TableOracle(/* grainMs= */ 100, /* maxSkewMs= */ 10_000);

  private @Nullable BucketState state;
  private long nowMs = T;

  private Source source = Source.CLIENT;
  private long fastMs;
  private Map<String, Long> uncheckedMilli = Map.of();
  private @Nullable Map<String, Long> givenBackMilli = Map.of();
  private boolean alone = true;

  /** A story that begins with a bucket that was just made and holds so much. */
  static Story of(long tokensMilli) {
    Story story = new Story();
    story.becomes(T, new LimitState(RPM, tokensMilli, FULL - tokensMilli));
    return story;
  }

  Story pass(long ms) {
    nowMs += ms;
    return this;
  }

  long nowMs() {
    return nowMs;
  }

  BucketState state() {
    return Objects.requireNonNull(state);
  }

  /** The next write is an operator's. */
  Story operator() {
    source = Source.OPERATOR;
    return this;
  }

  /** The next write's writer is so much ahead of the time. */
  Story fast(long ms) {
    fastMs = ms;
    return this;
  }

  /** The next write may charge that much without a check. */
  Story settling(long milli) {
    uncheckedMilli = Map.of(RPM.name(), milli);
    return this;
  }

  /** The next write may give back that much. */
  Story givingBack(long milli) {
    givenBackMilli = Map.of(RPM.name(), milli);
    return this;
  }

  /** Nothing is said about the next write but its states. */
  Story silently() {
    givenBackMilli = null;
    alone = false;
    return this;
  }

  /** The next write is part of a transaction. */
  Story jointly() {
    alone = false;
    return this;
  }

  /** A claim up to now with its whole credit, which takes {@code takenMilli}. */
  void claims(long takenMilli) {
    LimitState limit = limit();
    long creditMilli = nowMs + fastMs - state().refilledAtMs();
    long tokensMilli = Math.min(limit.tokensMilli() + creditMilli, FULL) - takenMilli;
    becomes(nowMs + fastMs, new LimitState(RPM, tokensMilli, limit.consumedMilli() + takenMilli));
  }

  /** Takes without a claim. */
  void takes(long takenMilli) {
    becomes(
        state().refilledAtMs(),
        new LimitState(
            RPM, limit().tokensMilli() - takenMilli, limit().consumedMilli() + takenMilli));
  }

  /** A claim up to now after which the balance and the total are these. */
  void claimsTo(long tokensMilli, long consumedMilli) {
    becomes(nowMs, new LimitState(RPM, tokensMilli, consumedMilli));
  }

  void becomes(long refilledAtMs, LimitState... limits) {
    becomes(refilledAtMs, state == null ? ConfigStamp.CALL : state.stamp(), limits);
  }

  void becomes(long refilledAtMs, ConfigStamp stamp, LimitState... limits) {
    becomes(
        new BucketState(KEY, refilledAtMs, List.of(limits), nowMs / 1_000 + 3_600, "op", stamp));
  }

  void becomes(@Nullable BucketState after) {
    TableWrite write =
        new TableWrite(
            nowMs * 1_000,
            "p1",
            source,
            KEY,
            state,
            after,
            nowMs + fastMs,
            uncheckedMilli,
            givenBackMilli,
            alone);
    source = Source.CLIENT;
    fastMs = 0;
    uncheckedMilli = Map.of();
    givenBackMilli = Map.of();
    alone = true;
    oracle.wrote(write);
    state = after;
  }

  void expires() {
    source = Source.EXPIRY;
    becomes(null);
  }

  void isErased() {
    source = Source.ERASE;
    becomes(null);
  }

  LimitState limit() {
    return Objects.requireNonNull(state().find(RPM.name()));
  }

  /** Expects the oracle to say that {@code promise} was broken. */
  static void breaks(Promise promise, Runnable part) {
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(part::run)
        .satisfies(
            violation -> {
              if (violation.promise() != promise) {
                throw violation;
              }
            });
  }
}
