package dev.millrace.proving.soak.worker;

import dev.millrace.client.AsyncLease;
import dev.millrace.client.Lease;
import dev.millrace.client.LeaseView;
import java.util.Map;

/** A lease as its holder sees it, blocking or not. */
interface Held {
  /** All that needs no round trip. */
  LeaseView view();

  void consume(Map<String, Long> tokens) throws InterruptedException;

  void close() throws InterruptedException;

  void cancel() throws InterruptedException;

  static Held of(Lease lease) {
    return new Held() {
      @Override
      public LeaseView view() {
        return lease;
      }

      @Override
      public void consume(Map<String, Long> tokens) {
        lease.consume(tokens);
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
      public void consume(Map<String, Long> tokens) throws InterruptedException {
        Door.await(lease.consume(tokens));
      }

      @Override
      public void close() throws InterruptedException {
        Door.await(lease.close());
      }

      @Override
      public void cancel() throws InterruptedException {
        Door.await(lease.cancel());
      }
    };
  }
}
