package dev.millrace.examples.llmgateway;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.examples.common.LocalTable;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The gateway with everything around it: a table, a provider, and callers. */
final class Main implements AutoCloseable {
  private static final String SERVE = "--serve";
  private static final int PORT = 8090;

  private final LocalTable table;
  private final Admin admin;
  private final NamespaceAdmin namespace;
  private final RateLimiter limiter;
  private final FakeProvider provider;
  private final Gateway gateway;

  private Main(int port) throws IOException {
    table = LocalTable.create("gateway");
    admin =
        Admin.of(
            table.store(), AdminOptions.builder("example").timeout(LocalTable.TIMEOUT).build());
    namespace = admin.in(LimiterOptions.DEFAULT_NAMESPACE);
    LimitsFile.apply(namespace);
    limiter =
        RateLimiter.create(
            table.store(), LimiterOptions.builder().timeout(LocalTable.TIMEOUT).build());
    provider = new FakeProvider();
    gateway = new Gateway(port, provider.chat(), limiter);
  }

  /** Without arguments: shows a load and ends. With {@code --serve}: serves until it is stopped. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> arguments = List.of(args);
    if (arguments.equals(List.of(SERVE))) {
      serve();
    } else if (!arguments.isEmpty()) {
      System.err.printf("arguments %s: only %s is known%n", arguments, SERVE);
      System.exit(2);
    } else {
      System.exit(show(System.out).isExact() ? 0 : 1);
    }
  }

  /** Starts it on any port that is free, or {@code port}. */
  static Main start(int port) throws IOException {
    return new Main(port);
  }

  private static void serve() throws IOException, InterruptedException {
    try (Main main = start(PORT)) {
      System.out.printf("The gateway is at %s, until Ctrl-C.%n", main.chat());
      Tenant.ALL.forEach(
          tenant -> System.out.printf("  %-11s Bearer %s%n", tenant.plan(), tenant.secret()));
      new CountDownLatch(1).await();
    }
  }

  /** Shows what callers of all tenants get when they come at once. */
  static Report show(PrintStream out) throws IOException, InterruptedException {
    try (Main main = start(0)) {
      return main.load(out);
    }
  }

  /** Lets callers of all tenants come at once, and says what they got. */
  Report load(PrintStream out) throws InterruptedException {
    out.printf(
        "%d requests with each of %d keys, all at once.%n%n", Load.REQUESTS, Tenant.ALL.size());
    var outcomes = new Load(chat()).run();
    gateway.close(); // and with it what callers who hung up have left
    Report report = Report.of(outcomes, gateway, provider, namespace);
    report.print(out);
    return report;
  }

  URI chat() {
    return gateway.chat();
  }

  @Override
  public void close() {
    gateway.close();
    provider.close();
    limiter.close();
    admin.close();
    table.close();
  }
}
