package dev.millrace.examples.tworegions;

import dev.millrace.Limit;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.examples.tworegions.Window.Side;
import dev.millrace.regions.AllocationPolicy;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two regions share a quota. The load moves from one to the other, and the rights follow it. */
final class Main implements AutoCloseable {
  /** Of both regions together. */
  private static final Limit QUOTA = Limit.perSecond("rps", 20);

  private static final int BUSY_PER_SECOND = 30;
  private static final int QUIET_PER_SECOND = 2;

  /** The rights have followed the load when the busy region holds so much of them. */
  static final long FOLLOWED_PPM = 750_000;

  private static final int LEAST_WINDOWS = 5;
  private static final int MOST_WINDOWS = 120;

  /** Short, so that there is something to see: the default is a window of 10 s. */
  private static final Duration WINDOW = Duration.ofMillis(500);

  private static final AllocationPolicy POLICY =
      new AllocationPolicy(
          WINDOW.toMillis(),
          AllocationPolicy.DEFAULT.staleAfterMs(),
          AllocationPolicy.DEFAULT.floorPpm(),
          AllocationPolicy.DEFAULT.offPpm(),
          AllocationPolicy.DEFAULT.leastGiftPpm());

  private final PrintStream out;
  private final Region eu;
  private final Region us;
  private final List<Window> windows = new ArrayList<>();
  private final long beganNanos;
  private final Load euLoad;
  private final Load usLoad;

  private Main(PrintStream out, LocalBucket bucket) {
    List<String> founders = List.of("eu", "us");
    this.out = out;
    this.eu = Region.found("eu", founders, QUOTA, POLICY, bucket);
    this.us = Region.found("us", founders, QUOTA, POLICY, bucket);
    this.beganNanos = System.nanoTime();
    this.euLoad = Load.on(eu, BUSY_PER_SECOND);
    this.usLoad = Load.on(us, QUIET_PER_SECOND);
  }

  /** Needs no arguments. */
  public static void main(String[] args) throws InterruptedException {
    show(System.out);
  }

  /** Shows it, and returns the windows of each phase. */
  static List<List<Window>> show(PrintStream out) throws InterruptedException {
    try (LocalBucket bucket = new LocalBucket();
        Main main = new Main(out, bucket)) {
      return main.play();
    }
  }

  private List<List<Window>> play() throws InterruptedException {
    out.printf(
        "eu and us share %d requests a second. A window is %d ms.%n",
        QUOTA.capacityMilli() / Limit.MILLI, WINDOW.toMillis());
    List<Window> first = phase("The load is in eu", euLoad, usLoad);
    List<Window> second = phase("The load moves to us", usLoad, euLoad);
    Window last = second.get(second.size() - 1);
    out.printf(
        "%nBoth together admitted %d; one bucket for both would have admitted at most %d.%n",
        last.admitted(), last.quota());
    return List.of(first, second);
  }

  private List<Window> phase(String title, Load busy, Load quiet) throws InterruptedException {
    out.printf(
        "%n%s: %d requests a second there, %d in the other.%n%s%n",
        title, BUSY_PER_SECOND, QUIET_PER_SECOND, Window.HEADER);
    busy.perSecond(BUSY_PER_SECOND);
    quiet.perSecond(QUIET_PER_SECOND);
    int from = windows.size();
    for (int count = 1; count <= MOST_WINDOWS; count++) {
      Window window = window();
      windows.add(window);
      out.println(window.row());
      long sharePpm = (busy == euLoad ? window.eu() : window.us()).sharePpm();
      if (count >= LEAST_WINDOWS && sharePpm >= FOLLOWED_PPM) {
        break;
      }
    }
    return List.copyOf(windows.subList(from, windows.size()));
  }

  /** Lets the time of a window pass, and then each region take its part in the exchange. */
  private Window window() throws InterruptedException {
    Load.Count euBefore = euLoad.count();
    Load.Count usBefore = usLoad.count();
    TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis());
    eu.exchange();
    us.exchange();
    Load.Count euAfter = euLoad.count();
    Load.Count usAfter = usLoad.count();
    return new Window(
        new Side(eu.sharePpm(), euAfter.since(euBefore), eu.ageMs(us.name())),
        new Side(us.sharePpm(), usAfter.since(usBefore), us.ageMs(eu.name())),
        euAfter.admitted() + usAfter.admitted(),
        quota(System.nanoTime() - beganNanos)); // after the counts were read: never too little
  }

  /** What one bucket would admit in that time at most: its burst, its rate, the refill grain. */
  private static long quota(long nanos) {
    long ms = TimeUnit.NANOSECONDS.toMillis(nanos) + PlanSettings.DEFAULT.grainMs();
    return (QUOTA.burstMilli() + QUOTA.refill().creditMilli(0, ms)) / Limit.MILLI;
  }

  @Override
  public void close() {
    euLoad.close();
    usLoad.close();
    eu.close();
    us.close();
  }
}
