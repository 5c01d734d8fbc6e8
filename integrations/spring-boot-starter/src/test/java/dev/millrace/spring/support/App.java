package dev.millrace.spring.support;

import dev.millrace.spring.test.TestLedger;
import dev.millrace.testkit.InMemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** A running application and a client of it: real HTTP on a port of its own. */
public final class App implements AutoCloseable {
  /** Where Netty's server is, in Boot 3 and in Boot 4. */
  private static final List<String> NETTY_FACTORIES =
      List.of(
          "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory",
          "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory");

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final ConfigurableApplicationContext context;

  private App(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** On Tomcat. */
  public static App servlet(Class<?> source, String... properties) {
    return start(new SpringApplication(source), WebApplicationType.SERVLET, properties);
  }

  /**
   * On Netty, although Tomcat is on the class path too. Every request has a connection of its own:
   * up to Reactor Netty 1.2.18 and 1.3.7 a server may stop reading a connection whose next request
   * arrives while it still ends the last one (reactor/reactor-netty#4361).
   */
  public static App reactive(Class<?> source, String... properties) {
    SpringApplication application = new SpringApplication(source);
    application.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBeanDefinition("nettyServer", new RootBeanDefinition(nettyFactory())));
    application.setDefaultProperties(Map.of("server.netty.max-keep-alive-requests", 1));
    return start(application, WebApplicationType.REACTIVE, properties);
  }

  private static Class<?> nettyFactory() {
    return NETTY_FACTORIES.stream()
        .filter(name -> ClassUtils.isPresent(name, null))
        .map(name -> ClassUtils.resolveClassName(name, null))
        .findFirst()
        .orElseThrow();
  }

  private static App start(
      SpringApplication application, WebApplicationType type, String... properties) {
    application.setWebApplicationType(type);
    List<String> arguments = new ArrayList<>();
    arguments.add("--server.port=0");
    arguments.add("--spring.main.banner-mode=off");
    arguments.add("--server.shutdown=immediate");
    Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
    return new App(application.run(arguments.toArray(String[]::new)));
  }

  public static App of(ConfigurableApplicationContext running) {
    return new App(running);
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public TestLedger ledger() {
    return new TestLedger(bean(InMemoryStore.class), "default");
  }

  public int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  public HttpResponse<String> get(String path, String... header)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(PATIENCE);
    if (header.length > 0) {
      request.headers(header);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** A connection on which {@code head} was sent, for what the client of the JDK cannot do. */
  public Socket send(String... head) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    String request = String.join("\r\n", head) + "\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  /** The field of an answer; an error that shows all of them when it is missing. */
  public static String field(HttpResponse<?> answer, String name) {
    Map<String, List<String>> all = answer.headers().map();
    return answer
        .headers()
        .firstValue(name)
        .orElseThrow(() -> new AssertionError("no " + name + " in " + all));
  }

  @Override
  public void close() {
    context.close();
  }
}
