package dev.millrace.tests.migration;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Counts the requests of a client, and kills it: from then on nothing is sent, and it is told so.
 */
final class KillSwitch implements ExecutionInterceptor {
  /** Thrown where the process would have died. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed");
    }
  }

  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
  private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

  /** Lets so many transactions pass, and nothing after the last of them. */
  void after(long transactions) {
    left.set(transactions);
  }

  long count(String operation) {
    AtomicLong count = counts.get(operation);
    return count == null ? 0 : count.get();
  }

  /** How many requests could have changed something. */
  long writes() {
    return counts.entrySet().stream()
        .filter(count -> count.getKey().matches(".*(Put|Update|Delete|Write).*"))
        .mapToLong(count -> count.getValue().get())
        .sum();
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    boolean transaction = operation.equals("TransactWriteItems");
    if ((transaction ? left.getAndDecrement() : left.get()) <= 0) {
      throw new Killed();
    }
    counts.computeIfAbsent(operation, name -> new AtomicLong()).incrementAndGet();
  }
}
