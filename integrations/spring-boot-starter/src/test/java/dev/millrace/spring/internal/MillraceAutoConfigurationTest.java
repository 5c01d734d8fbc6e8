package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.spring.LimiterOptionsCustomizer;
import dev.millrace.spring.MillraceProperties;
import dev.millrace.spring.WebRules;
import dev.millrace.testkit.InMemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

class MillraceAutoConfigurationTest {
  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          MillraceAutoConfiguration.class,
          MillraceWebAutoConfiguration.class,
          MillraceActuatorAutoConfiguration.class);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withConfiguration(ALL);
  private final WebApplicationContextRunner web =
      new WebApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues("millrace.store=in-memory");

  @Test
  void inMemory_isALimiterThatWorks() {
    runner
        .withPropertyValues("millrace.store=in-memory", "millrace.check-on-start=true")
        .run(
            context -> {
              RateLimiter limiter = context.getBean(RateLimiter.class);
              limiter
                  .acquire(
                      AcquireRequest.of("ann", "api")
                          .limits(Limit.perDay("rpd", 1))
                          .consume("rpd", 1))
                  .close();
              assertThat(limiter.metrics().admitted()).isEqualTo(1);
              assertThat(context).hasSingleBean(MillraceMeters.class);
            });
  }

  @Test
  void inMemory_withoutTheTestKit_saysWhatIsMissing() {
    runner
        .withClassLoader(new FilteredClassLoader(InMemoryStore.class))
        .withPropertyValues("millrace.store=in-memory")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining(
                        "it needs millrace-testkit, which the starter brings"));
  }

  @Test
  void disabled_isNothing() {
    runner
        .withPropertyValues("millrace.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(RateLimiter.class)
                    .doesNotHaveBean(MillraceMeters.class)
                    .doesNotHaveBean(ChargeRegistry.class));
  }

  @Test
  void beansOfTheApplication_replaceOurs() {
    InMemoryStore own = new InMemoryStore();
    LimiterOptions options = LimiterOptions.builder().namespace("other").build();
    runner
        .withBean("own", InMemoryStore.class, () -> own)
        .withBean(LimiterOptions.class, () -> options)
        .run(
            context -> {
              assertThat(context.getBean(BlockingStore.class)).isSameAs(own);
              assertThat(context.getBean(LimiterOptions.class)).isSameAs(options);
            });
    RateLimiter limiter = RateLimiter.create(own, options);
    runner
        .withPropertyValues("millrace.store=in-memory")
        .withBean("limiter", RateLimiter.class, () -> limiter)
        .run(context -> assertThat(context.getBean(RateLimiter.class)).isSameAs(limiter));
  }

  @Test
  void properties_becomeOptions() {
    runner
        .withPropertyValues(
            "millrace.store=in-memory",
            "millrace.namespace=shop",
            "millrace.on-unavailable=allow",
            "millrace.timeout=750ms",
            "millrace.settlement=deferred")
        .withBean(LimiterOptionsCustomizer.class, () -> options -> options.maxWaiters(7))
        .run(
            context -> {
              LimiterOptions options = context.getBean(LimiterOptions.class);
              assertThat(options.namespace()).isEqualTo("shop");
              assertThat(options.onUnavailable()).isEqualTo(OnUnavailable.ALLOW);
              assertThat(options.timeout()).hasMillis(750);
              assertThat(options.maxWaiters()).isEqualTo(7);
            });
  }

  @Test
  void dynamodb_sendsNothingWhileStarting() throws IOException {
    try (ServerSocket table = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      table.setSoTimeout(1);
      runner
          .withPropertyValues(
              "millrace.dynamodb.table=limits",
              "millrace.dynamodb.region=eu-central-1",
              "millrace.dynamodb.endpoint=http://127.0.0.1:" + table.getLocalPort())
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(BlockingStore.class)).isInstanceOf(AsyncStore.class);
              });
      assertThatThrownBy(table::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void dynamodb_checkedOnStart_doesNotStartWithoutAnAnswer() throws IOException {
    int closed;
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = nobody.getLocalPort();
    }
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    runner
        .withClassLoader(new FilteredClassLoader(NettyNioAsyncHttpClient.class))
        .withPropertyValues(
            "millrace.dynamodb.table=limits",
            "millrace.dynamodb.region=eu-central-1",
            "millrace.dynamodb.endpoint=http://127.0.0.1:" + closed,
            "millrace.check-on-start=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("the store does not answer")
                    .hasStackTraceContaining("UNREACHABLE"));
  }

  @Test
  void dynamodb_withoutATable_saysWhatToDo() {
    runner
        .withPropertyValues("millrace.dynamodb.region=eu-central-1")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("millrace.dynamodb.table")
                    .hasStackTraceContaining("it must name the table"));
  }

  @Test
  void storeThatOnlyBlocks_servesThoseWhoDoNot() {
    InMemoryStore behind = new InMemoryStore();
    runner
        .withBean(
            "blocking",
            BlockingStore.class,
            () -> (call, timeoutMs) -> behind.execute(call, timeoutMs))
        .run(
            context -> {
              Lease lease =
                  context
                      .getBean(RateLimiter.class)
                      .acquireAsync(
                          AcquireRequest.of("ann", "api")
                              .limits(Limit.perDay("rpd", 1))
                              .consume("rpd", 1))
                      .toCompletableFuture()
                      .get(60, TimeUnit.SECONDS);
              assertThat(lease.consumed("rpd")).isEqualTo(1);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace.namespace=a b | namespace 'a b' contains ' ' at position 1",
        "millrace.timeout=1ms | timeout PT0.001S must be from PT0.01S to PT5M",
        "millrace.store=redis | redis",
        "millrace.web.rules[0].resource=api | millrace.web.rules[0].paths is not set",
        "millrace.web.rules[0].paths=/a | millrace.web.rules[0].entity is not set",
        "millrace.web.rules[0].paths=/{a | millrace.web.rules[0].paths '/{a' is not a path pattern",
        "millrace.web.order=first | first",
      })
  void property_withAMistake_namesItself(String property, String message) {
    web.withPropertyValues(property)
        .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
  }

  @Test
  void web_withRules_hasTheFilterWhereItShallStand() {
    web.withPropertyValues(
            "millrace.web.order=17",
            "millrace.web.rules[0].paths=/a",
            "millrace.web.rules[0].entity=ann",
            "millrace.web.rules[0].resource=api",
            "millrace.web.rules[0].limits=rpd:1/day")
        .run(
            context -> {
              FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
              assertThat(filter.getFilter()).isInstanceOf(MillraceFilter.class);
              assertThat(filter.getOrder()).isEqualTo(17);
              assertThat(filter.isEnabled()).isTrue();
              assertThat(context.getBean(ChargeRegistry.class).limits("api")).hasSize(1);
            });
  }

  @Test
  void web_rulesOfTheApplication_replaceThoseOfTheProperties() {
    MillraceProperties.Rule rule =
        new MillraceProperties.Rule(
            List.of("/a"),
            List.of(),
            "ann",
            /* anonymous= */ null,
            "own",
            List.of("rpd:1/day"),
            List.of(),
            List.of(),
            /* maxWait= */ null,
            /* onUnavailable= */ null);
    web.withBean(WebRules.class, () -> new WebRules(List.of(rule)))
        .run(
            context -> {
              assertThat(context.getBean(FilterRegistrationBean.class).isEnabled()).isTrue();
              assertThat(context.getBean(ChargeRegistry.class).limits("own")).hasSize(1);
            });
  }

  @Test
  void web_withoutRules_hasNoFilterInTheWay() {
    web.run(
        context -> assertThat(context.getBean(FilterRegistrationBean.class).isEnabled()).isFalse());
    web.withPropertyValues("millrace.web.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
  }

  @Test
  void health_tellsWhetherTheStoreAnswers() {
    StoreFailure away = new StoreFailure(StoreFailure.Kind.UNREACHABLE, null);
    runner
        .withBean(
            BlockingStore.class,
            () -> (call, timeoutMs) -> new StoreReply.NotApplied(away, Receipt.NONE))
        .run(
            context ->
                assertThat(health(context))
                    .isEqualTo("DOWN the store does not answer {why=UNREACHABLE}"));
    runner
        .withPropertyValues("millrace.store=in-memory")
        .run(context -> assertThat(health(context)).isEqualTo("UP "));
    runner
        .withPropertyValues("millrace.store=in-memory", "management.health.millrace.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("millraceHealthIndicator"));
  }

  /** In an expression, because the type is another one in Boot 4. */
  private static String health(ApplicationContext context) {
    return String.valueOf(
        new SpelExpressionParser()
            .parseExpression("health().status.code + ' ' + (health().details['store'] ?: '')")
            .getValue(context.getBean("millraceHealthIndicator")));
  }
}
