package dev.millrace.deploy.policy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * Hears every request of every client of the SDK in this JVM, whoever made it: the SDK finds it
 * through a file on the class path. So what is recorded is what the production code really asks.
 */
public final class Recorder implements ExecutionInterceptor {
  private static final Object LOCK = new Object();
  private static @Nullable Set<ApiCall> recording;

  /** The SDK makes one for each client. */
  public Recorder() {}

  /** The stream of a table, whatever the engine calls it. */
  static String stream(String table) {
    return TemplatePolicies.ACCOUNT + table + "/stream/now";
  }

  /** What is asked while {@code work} is done, by whichever thread. */
  static Set<ApiCall> during(Callable<?> work) throws Exception {
    Set<ApiCall> calls = new LinkedHashSet<>();
    synchronized (LOCK) {
      recording = calls;
    }
    try {
      work.call();
    } finally {
      synchronized (LOCK) {
        recording = null;
      }
    }
    return calls;
  }

  /** Does {@code work} as somebody else, of whom nothing is recorded. */
  static void unheard(Runnable work) {
    @Nullable Set<ApiCall> interrupted;
    synchronized (LOCK) {
      interrupted = recording;
      recording = null;
    }
    try {
      work.run();
    } finally {
      synchronized (LOCK) {
        recording = interrupted;
      }
    }
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    add(ApiCalls.of(context.request()));
  }

  /** To be told that an object is absent one must be allowed to list; else it is forbidden. */
  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    if (context.exception() instanceof NoSuchKeyException
        && context.request() instanceof GetObjectRequest get) {
      add(List.of(ApiCall.of("s3:ListBucket", "arn:aws:s3:::" + get.bucket())));
    }
  }

  private static void add(List<ApiCall> calls) {
    synchronized (LOCK) {
      Set<ApiCall> into = recording;
      if (into != null) {
        into.addAll(calls);
      }
    }
  }
}
