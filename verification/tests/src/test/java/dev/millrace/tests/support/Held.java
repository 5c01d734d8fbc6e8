package dev.millrace.tests.support;

import dev.millrace.client.AsyncLease;
import dev.millrace.client.Lease;
import dev.millrace.client.LeaseView;

/** A lease in the hands of a caller of either kind. */
public interface Held {
  LeaseView view();

  void consume(String limit, long amount);

  void close();

  void cancel();

  static Held of(Lease lease) {
    return new Held() {
      @Override
      public LeaseView view() {
        return lease;
      }

      @Override
      public void consume(String limit, long amount) {
        lease.consume(limit, amount);
      }

      @Override
      public void close() {
        lease.close();
      }

      @Override
      public void cancel() {
        lease.cancel();
      }
    };
  }

  static Held of(AsyncLease lease) {
    return new Held() {
      @Override
      public LeaseView view() {
        return lease;
      }

      @Override
      public void consume(String limit, long amount) {
        Await.result(lease.consume(limit, amount));
      }

      @Override
      public void close() {
        Await.result(lease.close());
      }

      @Override
      public void cancel() {
        Await.result(lease.cancel());
      }
    };
  }
}
