package dev.millrace.simulator;

import dev.millrace.Consistency;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something that is done in a simulation, at a time. A history is a list of them. */
public sealed interface Action {
  /** When, in microseconds from the beginning. */
  long atMicros();

  /** The ways to end a lease. */
  enum End {
    CLOSE,
    CANCEL,
    /** Never: the caller forgot. */
    LEAVE_OPEN
  }

  /**
   * A caller asks.
   *
   * @param node whom
   * @param tokens whole tokens by resource and limit
   * @param limits those that come with the request, null for the stored ones; for the first
   *     resource
   * @param blocking whether the caller waits on its thread, as far as the process allows it
   * @param maxWaitMs how long it would wait, 0 for not at all
   * @param giveUpMicros after which its future is cancelled, 0 for never
   * @param holdMicros how long it uses what it got
   * @param adjust by how much the cost was misjudged, by limit of the first resource
   * @param more what it consumes beside, by limit of the first resource
   */
  record Ask(
      long atMicros,
      int node,
      String entity,
      Map<String, Map<String, Long>> tokens,
      @Nullable LimitSet limits,
      boolean blocking,
      Consistency consistency,
      long maxWaitMs,
      long giveUpMicros,
      long holdMicros,
      Map<String, Long> adjust,
      Map<String, Long> more,
      End end)
      implements Action {
    /** What it adjusts, by resource and limit. */
    Map<String, Map<String, Long>> adjusts() {
      return Map.of(tokens.keySet().iterator().next(), adjust);
    }
  }

  /** A process dies, and comes back after a while. */
  record Crash(long atMicros, int node, long downMicros) implements Action {}

  /** A process is replaced in good order, as in a deployment. */
  record Redeploy(long atMicros, int node) implements Action {}

  /** A process is cut off from the table. */
  record CutOff(long atMicros, int node, long micros) implements Action {}

  /** The network gets bad, or better. */
  record Storm(long atMicros, Weather weather, long micros) implements Action {}

  /** A clock is set. */
  record SetClock(long atMicros, int node, long byMs) implements Action {}

  /** A process forgets what it has cached. */
  record Forget(long atMicros, int node, boolean config) implements Action {}

  /** One of the threads of a process is interrupted. */
  record Interrupt(long atMicros, int node) implements Action {}

  /** The table deletes what has expired. */
  record Expire(long atMicros) implements Action {}

  /** An operator changes limits. */
  record ChangeLimits(long atMicros, String entity, String resource, LimitSet limits)
      implements Action {}

  /** An operator changes limits of a level that is weaker than those of an entity and resource. */
  record ChangeLevel(long atMicros, LimitTarget target, LimitSet limits) implements Action {}

  /** An operator moves an entity. */
  record Move(long atMicros, String entity, String parent) implements Action {}

  /** An operator switches an entity off or on. */
  record Switch(long atMicros, String entity, boolean on) implements Action {}

  /** An operator fills a bucket. */
  record Reset(long atMicros, String entity, String resource) implements Action {}

  /** An operator says how many shards a bucket should have. */
  record Resize(long atMicros, String entity, String resource, int shards) implements Action {}

  /** An operator gives tokens. */
  record TopUp(long atMicros, String entity, String resource, String limit, long tokens)
      implements Action {}
}
