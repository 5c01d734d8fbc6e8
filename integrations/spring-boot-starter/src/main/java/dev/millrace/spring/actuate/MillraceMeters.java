package dev.millrace.spring.actuate;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.DisabledBucket;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterMetrics;
import dev.millrace.OnUnavailable;
import dev.millrace.Rejection;
import dev.millrace.adapters.micrometer.LimiterMeters;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A listener of the limiter that passes events to every registry that it is bound to. A limiter is
 * created with its listeners and registries come later, so this stands between them.
 */
public final class MillraceMeters implements MeterBinder, LimiterListener {
  private final LimiterMetrics totals = new LimiterMetrics();
  private final List<LimiterMeters> bound = new CopyOnWriteArrayList<>();

  /** The counts without labels; a listener of its own. */
  public LimiterMetrics totals() {
    return totals;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bound.add(new LimiterMeters(registry, totals));
  }

  @Override
  public void onAdmitted(BucketKey key, Amounts amounts) {
    bound.forEach(meters -> meters.onAdmitted(key, amounts));
  }

  @Override
  public void onRefused(BucketKey key, Rejection rejection) {
    bound.forEach(meters -> meters.onRefused(key, rejection));
  }

  @Override
  public void onDisabled(BucketKey key, DisabledBucket disabled) {
    bound.forEach(meters -> meters.onDisabled(key, disabled));
  }

  @Override
  public void onUnavailable(BucketKey key, StoreFailure failure, OnUnavailable policy) {
    bound.forEach(meters -> meters.onUnavailable(key, failure, policy));
  }

  @Override
  public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
    bound.forEach(meters -> meters.onStoreCall(call, reply, elapsedNanos));
  }
}
