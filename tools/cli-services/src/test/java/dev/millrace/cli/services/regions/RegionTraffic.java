package dev.millrace.cli.services.regions;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.dynamodb.client.DynamoStore;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process with the traffic of one region, until its input ends. */
final class RegionTraffic {
  static final String ENTITY = "acme";
  static final String RESOURCE = "gpt-4";

  private RegionTraffic() {}

  /** With the endpoint, the table and how many requests a second. */
  public static void main(String[] args) throws IOException {
    long pauseNanos = TimeUnit.SECONDS.toNanos(1) / Long.parseLong(args[2]);
    try (ServiceClients clients = ServiceClients.of(URI.create(args[0]), null, null, null);
        RateLimiter limiter =
            RateLimiter.create(
                DynamoStore.of(clients.dynamoClient(), args[1]), LimiterOptions.defaults())) {
      AcquireRequest request = AcquireRequest.of(ENTITY, RESOURCE).consume("rpm", 1);
      while (System.in.available() == 0) {
        try {
          if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
            granted.lease().close();
          }
        } catch (LimiterUnavailableException e) {
          // An engine with so many clients may be late. What it charged all the same is counted.
        }
        LockSupport.parkNanos(pauseNanos);
      }
    }
  }
}
