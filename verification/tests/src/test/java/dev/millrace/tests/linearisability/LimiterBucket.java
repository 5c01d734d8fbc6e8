package dev.millrace.tests.linearisability;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.testkit.internal.history.BalanceModel;
import java.util.Arrays;
import java.util.List;

/**
 * A bucket that callers of limiters share.
 *
 * @param entity whose
 * @param limits what holds for it, in the order of the names
 */
record LimiterBucket(String entity, LimitSet limits) {
  private static final String RESOURCE = "gpt-4";

  /** The limits as they are written on a command line, separated by commas. */
  static LimiterBucket parse(String entity, String limits) {
    return new LimiterBucket(
        entity,
        LimitSet.of(
            Arrays.stream(limits.split(",", -1)).map(LimitNotation::parse).toArray(Limit[]::new)));
  }

  String resource() {
    return RESOURCE;
  }

  BucketKey key() {
    return BucketKey.first("default", entity, RESOURCE);
  }

  /** A request for so many tokens of each limit; one of which it wants none is not named. */
  AcquireRequest request(List<Long> tokens) {
    AcquireRequest request = AcquireRequest.of(entity, RESOURCE).limits(limits);
    for (int i = 0; i < limits.size(); i++) {
      if (tokens.get(i) > 0) {
        request = request.consume(limits.get(i).name(), tokens.get(i));
      }
    }
    return request;
  }

  /**
   * The model of a bucket that is found as {@code state}, which must not fill up until {@code
   * endsMs}: what is clipped then is not in the model.
   */
  List<BalanceModel> model(BucketState state, long endsMs) {
    List<BalanceModel> model =
        state.limits().stream().map(limit -> model(limit, state.refilledAtMs())).toList();
    for (int i = 0; i < model.size(); i++) {
      long fullestMilli = model.get(i).atMs(endsMs);
      if (fullestMilli > limits.get(i).burstMilli()) {
        throw new IllegalStateException(
            "limit '" + model.get(i).name() + "' may have filled up: " + fullestMilli);
      }
    }
    return model;
  }

  private static BalanceModel model(LimitState state, long refilledAtMs) {
    return new BalanceModel(
        state.name(),
        state.tokensMilli(),
        refilledAtMs,
        state.limit().refill().amountMilli(),
        state.limit().refill().periodMs());
  }
}
